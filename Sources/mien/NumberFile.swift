import Foundation
import MienAvatars
import MienCodecs
import MienImaging
import MienModel

/// The number of a message out of what came of its GIF: the GIF, a picture or a video of it.
enum NumberFile {
  /// Reads a file.
  ///
  /// - Throws: ``ToolError`` when it is not there or nothing that can be read.
  static func read(_ path: String) async throws -> MessageCodeReader.Reading {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ToolError("\(path) is not there or cannot be read.")
    }
    do {
      let start =
        try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 16).map { [UInt8]($0) } ?? []
      if start.starts(with: "GIF8".utf8) { return try MessageCodeReader().read(gif: Input.bytes(path)) }
      guard ImageFormat.sniff(start) != nil else { return try await video(path) }
      var frame = Frame()
      var decoder = try PictureDecoder()
      try decoder.decode(Input.bytes(path), into: &frame)
      return MessageCodeReader().read(frame)
    } catch let error as AvatarError {
      throw ToolError("\(path): \(error.reason)")
    } catch let error as PictureError {
      throw ToolError("\(path): \(error.reason)")
    }
  }

  /// The stamp is on the last pictures of a video; where it is cut, on any.
  private static func video(_ path: String) async throws -> MessageCodeReader.Reading {
    let reader = MessageCodeReader()
    var best = MessageCodeReader.Reading.nothing
    var decoder = try PictureDecoder()
    var frame = Frame()
    try await VideoFrames(path: path).forEach { picture, _, _ in
      try decoder.decode(picture.bytes, into: &frame)
      let reading = reader.read(frame)
      if reading.code != nil || best == .nothing { best = reading }
    }
    return best
  }
}
