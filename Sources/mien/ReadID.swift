import ArgumentParser
import Foundation
import MienAvatars
import MienCodecs
import MienImaging
import MienModel

/// `mien read-id`: the number of a message out of its GIF, or out of what became of it.
struct ReadID: AsyncParsableCommand {
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
      let reading = try await read()
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

    init(_ reading: MessageCodeReader.Reading) {
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

  private func read() async throws -> MessageCodeReader.Reading {
    let reader = MessageCodeReader()
    guard FileManager.default.fileExists(atPath: input) else {
      throw ToolError("\(input) is not there or cannot be read.")
    }
    do {
      let start =
        try FileHandle(forReadingFrom: URL(fileURLWithPath: input)).read(upToCount: 16).map { [UInt8]($0) } ?? []
      if start.starts(with: "GIF8".utf8) { return try reader.read(gif: Input.bytes(input)) }
      var decoder = try PictureDecoder()
      var frame = Frame()
      if ImageFormat.sniff(start) != nil {
        try decoder.decode(Input.bytes(input), into: &frame)
        return reader.read(frame)
      }
      return try await video(reader)
    } catch let error as AvatarError {
      throw ToolError("\(input): \(error.reason)")
    } catch let error as PictureError {
      throw ToolError("\(input): \(error.reason)")
    }
  }

  /// The stamp is on the last pictures of a video; where it is cut, on any.
  private func video(_ reader: MessageCodeReader) async throws -> MessageCodeReader.Reading {
    var best = MessageCodeReader.Reading.nothing
    var decoder = try PictureDecoder()
    var frame = Frame()
    try await VideoFrames(path: input).forEach { picture, _, _ in
      try decoder.decode(picture.bytes, into: &frame)
      let reading = reader.read(frame)
      if reading.code != nil || best == .nothing { best = reading }
    }
    return best
  }
}
