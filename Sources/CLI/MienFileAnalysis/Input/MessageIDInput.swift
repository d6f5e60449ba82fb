internal import Foundation
package import MienAvatars
internal import MienCodecs
internal import MienCore
internal import MienFiles
internal import MienImaging

/// Reads a message ID from a message's GIF, or from an image or a video of it.
package enum MessageIDInput {
  /// Reads a file.
  ///
  /// - Throws: ``OperationError`` if the file does not exist or cannot be decoded.
  package static func read(_ path: String) async throws -> MessageIDDetector.Reading {
    guard FileManager.default.fileExists(atPath: path) else {
      throw OperationError("\(path) is not there or cannot be read.")
    }
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      let start = try file.read(upToCount: ImageFormat.headBytes).map { [UInt8]($0) } ?? []
      if start.starts(with: "GIF8".utf8) { return try MessageIDDetector().read(gif: InputFile.bytes(path)) }
      guard ImageFormat.sniff(start) != nil else { return try await video(path) }
      var frame = Frame()
      var decoder = try ImageDecoder(formats: ImageFormat.all)
      try decoder.decode(InputFile.bytes(path), into: &frame)
      return MessageIDDetector().read(frame)
    } catch let error as AvatarError {
      throw OperationError("\(path): \(error.reason)")
    } catch let error as ImageCodecError {
      throw OperationError("\(path): \(error.reason)")
    }
  }

  /// Searches all frames of a video: the label is on the last frames of the GIF, but a trimmed video may show it
  /// anywhere.
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
