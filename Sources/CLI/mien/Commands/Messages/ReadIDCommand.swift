import ArgumentParser
import MienAvatars
import MienFileAnalysis
import MienFiles

/// `mien read-id`: reads a message ID from its GIF, or from an image or a video of it.
struct ReadIDCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-id", abstract: "Read the message ID from a GIF, or from an image or video of it.",
    discussion:
      "Exit status: 0 read, 1 no ID or a damaged one, 2 file not readable, 64 usage error.")

  @Argument(help: "A GIF, a PNG or JPEG (such as a screenshot), or a video.", completion: .file())
  var input: String
  @Flag(help: "Print JSON, including where the ID was found.")
  var json = false

  func run() async throws {
    try await Terminal.reporting {
      let reading = try await MessageIDInput.read(input)
      if json { try Terminal.say(JSONText.make(Reply(reading))) }
      if let code = reading.code {
        if !json { try Terminal.say(code.text) }
        return
      }
      Terminal.note(
        reading == .damaged
          ? "\(input) shows a number whose check characters do not fit." : "\(input) shows no message's number.")
      throw ExitCode(1)
    }
  }

  private struct Reply: Encodable {
    let id: String?
    let found: String

    init(_ reading: MessageIDDetector.Reading) {
      id = reading.code?.text
      found =
        switch reading {
        case .comment: "comment"
        case .pixels: "pixels"
        case .damaged: "damaged"
        case .nothing: "nothing"
        }
    }
  }
}
