import Foundation
import MienAvatars
import MienCodecs
import MienImaging
import MienCore

/// The number of a message out of what came of its GIF: the GIF, a picture or a video of it.
enum MessageIDInput {
  /// Reads a file.
  ///
  /// - Throws: ``CommandError`` when it is not there or nothing that can be read.
  static func read(_ path: String) async throws -> MessageIDDetector.Reading {
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError("\(path) is not there or cannot be read.")
    }
    do {
      let start =
        try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 16).map { [UInt8]($0) } ?? []
      if start.starts(with: "GIF8".utf8) { return try MessageIDDetector().read(gif: Input.bytes(path)) }
      guard ImageFormat.sniff(start) != nil else { return try await video(path) }
      var frame = Frame()
      var decoder = try ImageDecoder()
      try decoder.decode(Input.bytes(path), into: &frame)
      return MessageIDDetector().read(frame)
    } catch let error as AvatarError {
      throw CommandError("\(path): \(error.reason)")
    } catch let error as ImageCodecError {
      throw CommandError("\(path): \(error.reason)")
    }
  }

  /// The stamp is on the last pictures of a video; where it is cut, on any.
  private static func video(_ path: String) async throws -> MessageIDDetector.Reading {
    let reader = MessageIDDetector()
    var best = MessageIDDetector.Reading.nothing
    var decoder = try ImageDecoder()
    var frame = Frame()
    try await VideoFrames(path: path).forEach { image, _, _ in
      try decoder.decode(image.bytes, into: &frame)
      let reading = reader.read(frame)
      if reading.code != nil || best == .nothing { best = reading }
    }
    return best
  }
}
