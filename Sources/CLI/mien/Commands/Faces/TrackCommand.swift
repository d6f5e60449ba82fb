import ArgumentParser
import Foundation
import MienCore
import MienFileAnalysis
import MienFiles
import MienRecordings
import MienRuntime
import MienTracking

/// `mien track`: runs the face tracker and writes its results to files.
struct TrackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track", abstract: "Track the face in a video or in images.",
    discussion: """
      Videos are decoded with ffmpeg. Angles are in degrees; positive yaw is the subject's left, positive pitch is up.
      Exit status: 0 all inputs processed, 2 an input could not be processed, 64 usage error.
      """)

  @Argument(help: "A video, images, or a folder of images.", completion: .file())
  var inputs: [String]
  @Option(help: "Write time, pose and the 52 coefficients as CSV.", completion: .file())
  var csv: String?
  @Option(help: "Write observation lines (Documentation/reference/formats/ObservationLines.md).", completion: .file())
  var jsonl: String?
  @Option(
    name: .customLong("live-link"), help: "Write the CSV of Live Link Face for animation tools.", completion: .file())
  var liveLink: String?
  @Option(help: "Write the 478 landmarks of every frame as CSV, as fractions of the image.", completion: .file())
  var landmarks: String?
  @Option(help: "Write every frame with landmarks and pose to this folder.", completion: .directory)
  var overlay: String?
  @Flag(help: "Disable the temporal filter.")
  var raw = false
  @Flag(help: "Print the summary as JSON.")
  var json = false
  @OptionGroup var assets: AssetOptions

  func validate() throws {
    let videos = inputs.filter { !Input.isFolder($0) && !Input.isImage($0) }
    if isRecorded, !videos.isEmpty, inputs.count > 1 {
      throw ValidationError("--csv, --jsonl and --live-link take one video, or pictures: a recording has one clock.")
    }
    if let overlay, inputs.contains(where: { Input.folder(of: $0) == Input.resolved(overlay) }) {
      throw ValidationError("--overlay \(overlay) is where the input lies, which it might overwrite.")
    }
  }

  private var isRecorded: Bool { csv != nil || jsonl != nil || liveLink != nil }

  func run() async throws {
    try await Terminal.reporting { try await track() }
  }

  private func track() async throws {
    for path in [csv, jsonl, liveLink, landmarks].compactMap({ $0 }) where !Input.isFolder(Input.folder(of: path)) {
      throw OperationError("\(path) cannot be written: its folder is not there.")
    }
    let pool = try await Tracker.make(assets, smoothing: !raw)
    var summary = TrackSummary()
    var observations: [ClientObservation] = []
    var progress = Terminal.Progress()
    var table = LandmarkCSV()
    var painter: OverlayWriter?
    if let overlay { painter = try OverlayWriter(folder: overlay) }
    try await FrameSource(observer: pool, paths: inputs).forEach { seen in
      summary.process(seen.observation)
      if isRecorded { observations.append(ClientObservation(seen.observation)) }
      if landmarks != nil { table.add(seen.observation.face?.landmarks, frame: seen.index) }
      try painter?.write(seen.jpeg, seen.observation, name: seen.name)
      progress.show(seen.index + 1, of: seen.total, what: "frame \(seen.index + 1) of \(seen.total)")
    }
    let recording = Recording(source: .mienTracker, frameRate: summary.frameRate, observations: observations)
    if let jsonl { try write(recording.write(as: .observationLines), to: jsonl) }
    // The file does not store its frame rate. At 60, the app's rate, readers can infer the times, whatever the video's
    // own rate.
    if let liveLink { try write(LiveLinkFace.write(recording, frameRate: 60), to: liveLink) }
    if let csv { try write(Array(CSVWriter.text(observations).utf8), to: csv) }
    if let landmarks { try write(Array(table.text.utf8), to: landmarks) }
    try Terminal.say(json ? try summary.jsonText() : summary.text)
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
  }
}

/// Creates the face tracker of a command, or prints which files are missing.
enum Tracker {
  static func make(_ assets: AssetOptions, smoothing: Bool = true) async throws -> FaceTrackerPool {
    var settings = TrackingSettings()
    if !smoothing { settings.smoothing = .off }
    let pool = FaceTrackerPool(models: assets.location.models, engines: 1, settings: settings)
    let obstacles = await pool.obstacles()
    guard obstacles.isEmpty else {
      for obstacle in obstacles {
        Terminal.note("\(assets.location.text(obstacle)) Run scripts/install-parts, then `mien doctor`.")
      }
      throw ExitCode(2)
    }
    return pool
  }

  /// Returns what finds faces in photos, or `nil` without a message if the models are missing.
  static func locator(_ assets: AssetOptions) async -> FaceLocator? {
    let pool = FaceTrackerPool(models: assets.location.models, engines: 1, settings: TrackingSettings())
    return await pool.obstacles().isEmpty ? FaceLocator(observer: pool) : nil
  }
}
