import ArgumentParser
import Foundation
import MienAPI
import MienAvatars
import MienClient
import MienCore
import MienFileAnalysis
import MienFiles
import MienRecordings

/// `mien unlock`: replays a performance from a recording or a video to a server.
struct UnlockMessageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "Open a message with a recording or video of a performance.",
    discussion: """
      The performance is sent in real time. A recording counts as claimed observations and opens only messages locked
      with --no-requires-frames, on a server that runs with --allow-claimed-observations.
      Prints the text. Exit status: 0 opened, 1 not opened (reason on standard error; a wrong sequence uses an attempt),
      2 not tried, 64 usage error.
      """)

  @Argument(help: "Message ID, its link, or a file that contains the ID: the GIF, or an image or video of it.")
  var message: String
  @Option(help: "A recording (.jsonl, .csv of Live Link Face, .json of MediaPipe).", completion: .file())
  var recording: String?
  @Option(help: "A video.", completion: .file())
  var video: String?
  @Option(help: "Frames per second, for recordings without timing.")
  var frameRate: Double?
  @Flag(help: "Print the server's final response as JSON.")
  var json = false
  @OptionGroup var server: RemoteServerOptions

  func validate() throws {
    guard (recording == nil) != (video == nil) else { throw ValidationError("Give either --recording or --video.") }
    guard frameRate.map({ $0 > 0 && $0 <= 1000 }) != false else {
      throw ValidationError("--frame-rate must be above 0 and at most 1000.")
    }
    guard frameRate == nil || recording != nil else { throw ValidationError("--frame-rate belongs to --recording.") }
  }

  func run() async throws {
    try await Terminal.reportingRequests(to: server) { try await unlock() }
  }

  private func unlock() async throws {
    let link = try await MessageArgument.link(message)
    let observations = try recording.map { try self.observations(in: $0) }
    let client = try server.messages()
    var performer = PerformanceReplayer { try await begin(link, client) }
    if let observations {
      try await performer.perform(observations)
    } else if let video {
      try await performer.perform(VideoFrames(path: video))
    }
    try tell(performer.last)
  }

  private func begin(_ link: MessageLink, _ client: MessageClient) async throws -> PerformanceConnection {
    do {
      return try await client.unlock(
        link.id.text, linkKey: link.key, client: "mien-\(UUID().uuidString)")
    } catch let error as ClientError
      where [.messageLocked, .messageGone, .linkRequired].contains(error.code)
    {
      Terminal.note("\(server.url): \(error.detail)")
      throw ExitCode(1)
    }
  }

  private func observations(in path: String) throws -> [ClientObservation] {
    do {
      let rules = ParserLimits(frameRate: frameRate)
      let recording = try Recording.read(ContiguousArray(InputFile.bytes(path)), rules: rules)
      for note in recording.notes { Terminal.note("\(path): \(note)") }
      return Array(recording.replay())
    } catch let error as RecordingError {
      throw OperationError("\(path): \(error)")
    }
  }

  private func tell(_ step: PerformanceStepResponse?) throws {
    guard let step else { throw OperationError("There is nothing in the performance.") }
    if json {
      try Terminal.say(JSONText.make(step))
    } else if let text = step.text {
      try Terminal.say(text)
    }
    guard step.state != "opened" else { return }
    if !json { Terminal.note(Self.words(step)) }
    throw ExitCode(1)
  }

  private static func words(_ step: PerformanceStepResponse) -> String {
    let performed = step.performed.isEmpty ? "nothing" : step.performed.joined(separator: ",")
    return switch step.state {
    case "wrong": "Another sequence: \(performed) was performed. Attempts left: \(step.attemptsLeft ?? 0)."
    case "locked":
      "Nothing was tried after the wrong attempts before\(step.waitsUntil.map { "; the next attempt is at \($0)" } ?? "")."
    case "suspect": "The sender does not trust such frames, or they were too few to tell. Nothing was counted."
    case "expired", "gone": "There is nothing to open any more."
    default:
      "The performance ended too early: \(performed) of \(step.count) expressions was performed. Nothing was counted."
    }
  }
}
