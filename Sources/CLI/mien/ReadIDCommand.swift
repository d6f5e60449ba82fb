import ArgumentParser
import MienAvatars

/// `mien read-id`: reads a message ID from its GIF, or from an image or a video of it.
struct ReadIDCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-id", abstract: "Read the number of a message from its GIF, a picture or a video of it.",
    discussion:
      "Exit 0 when it was read, 1 when there is none or it is damaged, 2 when the file cannot be read, 64 usage.")

  @Argument(help: "A GIF, a PNG or JPEG (a screenshot, say), or a video it was turned into.", completion: .file())
  var input: String
  @Flag(help: "Print JSON, which says where it was found.")
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
