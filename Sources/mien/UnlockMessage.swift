import ArgumentParser
import Foundation
import MienAvatars
import MienClient
import MienModel
import MienRecordings
import MienWire

/// `mien unlock`: a performance before a server, out of a recording or a video.
struct UnlockMessage: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "Open a message with a recording or a video of a performance.",
    discussion: """
      The performance is sent as it would be seen live, in its own time. A recording counts as what a phone claims, and opens
      only what was locked with --no-requires-frames, on a server that runs with --allow-claimed-observations.
      Prints the text. Exit 0 opened, 1 not opened (the reason is on standard error; a wrong sequence costs an attempt),
      2 when it could not be tried, 64 usage.
      """)

  @Argument(help: "The message's number, or a file that shows it: its GIF, a picture or a video of it.")
  var message: String
  @Option(help: "A recording (.jsonl, .csv of Live Link Face, .json of MediaPipe).", completion: .file())
  var recording: String?
  @Option(help: "A video.", completion: .file())
  var video: String?
  @Flag(help: "Take the person's neutral face first, which is held still for a second.")
  var calibrate = false
  @Option(help: "Frames a second of a recording whose format does not say.")
  var frameRate: Double?
  @Flag(help: "Print the server's last word as JSON.")
  var json = false
  @OptionGroup var place: ServerPlace

  func validate() throws {
    guard (recording == nil) != (video == nil) else { throw ValidationError("Give either --recording or --video.") }
    guard frameRate.map({ $0 > 0 && $0 <= 1000 }) != false else {
      throw ValidationError("--frame-rate must be above 0 and at most 1000.")
    }
    guard frameRate == nil || recording != nil else { throw ValidationError("--frame-rate belongs to --recording.") }
  }

  func run() async throws {
    try await Terminal.asking(place) { try await unlock() }
  }

  private func unlock() async throws {
    let number = try await number()
    let observations = try recording.map { try self.observations(in: $0) }
    let desk = try place.messages()
    var performer = Performer { try await begin(number, desk) }
    if let observations {
      try await performer.perform(observations)
    } else if let video {
      try await performer.perform(VideoFrames(path: video))
    }
    try tell(performer.last)
  }

  private func begin(_ number: String, _ desk: MessageDesk) async throws -> PerformanceLine {
    do {
      return try await desk.unlock(number, calibrates: calibrate, client: "mien-\(UUID().uuidString)")
    } catch let error as ClientError where error.code == .messageLocked || error.code == .messageGone {
      Terminal.note("\(place.server): \(error.detail)")
      throw ExitCode(1)
    }
  }

  private func number() async throws -> String {
    if let code = MessageCode(text: message) { return code.text }
    guard FileManager.default.fileExists(atPath: message) else {
      throw ToolError("\(message) is neither a message's number nor a file.")
    }
    guard let code = try await NumberFile.read(message).code else {
      throw ToolError("\(message) shows no message's number.")
    }
    return code.text
  }

  private func observations(in path: String) throws -> [ClaimedObservation] {
    do {
      return Array(
        try Recording.read(ContiguousArray(Input.bytes(path)), rules: ReadingRules(frameRate: frameRate)).replay())
    } catch let error as RecordingError {
      throw ToolError("\(path): \(error)")
    }
  }

  private func tell(_ step: PerformanceStepReply?) throws {
    guard let step else { throw ToolError("There is nothing in the performance.") }
    if json {
      try Terminal.say(JSONText.make(step))
    } else if let text = step.text {
      try Terminal.say(text)
    }
    guard step.state != "opened" else { return }
    if !json { Terminal.note(Self.words(step)) }
    throw ExitCode(1)
  }

  private static func words(_ step: PerformanceStepReply) -> String {
    let performed = step.performed.isEmpty ? "nothing" : step.performed.joined(separator: ",")
    return switch step.state {
    case "wrong": "Another sequence: \(performed) was performed. Attempts left: \(step.attemptsLeft ?? 0)."
    case "locked":
      "Nothing was tried after the wrong attempts before"
        + "\(step.waitsUntil.map { "; there is another attempt at \($0)" } ?? ": the message is locked for good")."
    case "suspect": "The sender does not trust such frames, or they were too few to tell. Nothing was counted."
    case "expired", "gone": "There is nothing to open any more."
    default:
      "The performance ended too early: \(performed) of \(step.count) expressions was performed. Nothing was counted."
    }
  }
}
