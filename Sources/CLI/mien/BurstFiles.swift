import MienAuthenticity
import MienCodecs
import MienVideo

/// The frames of a burst or of a film that somebody names at the terminal.
struct BurstFiles {
  /// Pictures in the order of time.
  let images: [String]
  let clip: String?

  /// Empty when nothing is named.
  func frames() async throws -> [BurstFrame] {
    guard let clip else {
      return try images.map { path in
        let bytes = try Input.bytes(path)
        do {
          guard let luma = try CaptureFileDecoder.burst([bytes]).first else {
            throw CommandError("\(path) has no picture")
          }
          return BurstFrame(luma: luma, at: nil)
        } catch let error as ImageCodecError {
          throw CommandError("\(path): \(error.reason)")
        }
      }
    }
    do {
      return try await CaptureFileDecoder.clip(Input.bytes(clip))
    } catch let error as VideoError {
      throw CommandError("\(clip): \(error.reason)")
    }
  }
}
