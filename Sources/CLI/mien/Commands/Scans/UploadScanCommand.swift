import ArgumentParser
import Foundation
import MienClient
import MienCore
import MienFileAnalysis
import MienFiles

/// `mien scan upload`: uploads a scan's files to a server and resumes interrupted uploads.
struct UploadScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload", abstract: "Upload a scan to a server.",
    discussion: """
      Uploads photos and depth, as files or folders in any format that mien reads, and prints the scan's ID. Uploads are
      resumable: after a lost connection, Ctrl-C, or a power failure, run the same command again to continue.
      Exit status: 0 uploaded, 1 rejected by the server, 2 could not be sent now, 64 usage error.
      """)

  @Argument(help: "Files and folders of one scan.", completion: .file())
  var inputs: [String]
  @Option(help: "ID of an existing subject on the server.")
  var subject: String?
  @Option(help: "Label of the scan.")
  var label: String?
  @Option(help: "Kind of scan: face or object.")
  var kind = ScanUpload.Kind.face
  @Option(help: "Consecutive retries if the server does not respond.")
  var retries = 8
  @Option(help: "Folder for the state of unfinished uploads.", completion: .directory)
  var queue: String?
  @Flag(help: "Print one JSON object.")
  var json = false
  @OptionGroup var server: RemoteServerOptions

  func validate() throws {
    guard !inputs.isEmpty else { throw ValidationError("Give the scan's files or folders.") }
    guard (0...1000).contains(retries) else { throw ValidationError("--retries must be 0 to 1000.") }
  }

  func run() async throws {
    try await Terminal.reportingRequests(to: server) {
      do {
        try await upload()
      } catch let error as UploadError {
        throw OperationError("\(error)")
      }
    }
  }

  private func upload() async throws {
    let files = try ScanUploadFiles.files(of: inputs)
    let queue = try UploadQueue(
      folder: URL(fileURLWithPath: self.queue ?? Self.standardQueue, isDirectory: true),
      server: try server.address(), key: try server.secret(), retryPolicy: UploadRetryPolicy(retries: retries))
    let upload = ScanUpload(files: files, subject: subject, label: label, kind: kind)
    let id = ScanUploadFiles.name(of: upload, server: server.url)
    var job = try await queue.add(upload, id: id)
    if job.state == .refused || job.state == .paused {
      try await queue.resume(id)
      job = try await queue.add(upload, id: id)
    }
    if let scan = job.scan, job.state == .waiting { Terminal.note("Going on with scan \(scan).") }
    let updates = await queue.watch()
    let bar = Task {
      var bar = ProgressBar()
      for await progress in updates where progress.job == id { bar.show(progress) }
    }
    defer { bar.cancel() }
    switch try await queue.send(id) {
    case .done(let scan):
      try say(scan: scan)
      try await queue.remove(id)
    case .refused(let problem):
      Terminal.note("\(server.url): \(problem.detail) (\(problem.code))")
      try await queue.remove(id)
      throw ExitCode(1)
    case .later(let code):
      throw OperationError(
        "\(server.url) \(code == "unreachable" ? "does not answer" : "cannot take it now (\(code))"). "
          + "Run the same command again to go on.")
    case .paused: throw OperationError("The upload was set aside. Run the same command again to go on.")
    }
  }

  private func say(scan: String) throws {
    guard json else { return try Terminal.say(scan) }
    let fields = ["scan_id": scan, "url": "/v1/scans/\(scan)"]
    let data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
    try Terminal.say(String(decoding: data, as: UTF8.self))
  }

  /// Default folder for program state, according to the XDG Base Directory Specification.
  private static var standardQueue: String {
    let environment = ProcessInfo.processInfo.environment
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/mien/uploads" }
    return FileManager.default.homeDirectoryForCurrentUser.path + "/.local/state/mien/uploads"
  }
}

/// Progress bar of an upload.
struct ProgressBar {
  private var bar = Terminal.Progress()
  private var meter = TransferRateEstimator()
  private let clock = MonotonicClock()

  mutating func show(_ progress: UploadProgress) {
    switch progress.phase {
    case .waiting: Terminal.note("\(Self.words(progress.reason)) Trying again.")
    case .sending, .submitting:
      meter.note(progress.sent, at: clock.now())
      var words = "\(Self.megabytes(progress.sent)) of \(Self.megabytes(progress.bytes)) MB"
      if let speed = meter.speed { words += ", \(Self.megabytes(Int(speed))) MB/s" }
      if let left = meter.timeLeft(of: progress.bytes) { words += ", \(Int(left.inSeconds.rounded(.up))) s left" }
      bar.show(progress.sent, of: progress.bytes, what: words)
    case .querying, .done, .refused, .paused: break
    }
  }

  private static func words(_ reason: String?) -> String {
    reason == "unreachable" || reason == nil ? "The server does not answer." : "The server says \(reason ?? "")."
  }

  private static func megabytes(_ bytes: Int) -> String {
    let tenths = (bytes + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
