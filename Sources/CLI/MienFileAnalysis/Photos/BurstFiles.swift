package import MienAuthenticity
internal import MienCodecs
internal import MienFiles
internal import MienRuntime
internal import MienVideo

/// Frames of a burst or a video given on the command line.
package struct BurstFiles {
  /// Image paths in chronological order.
  let images: [String]
  let clip: String?

  package init(images: [String], clip: String?) {
    self.images = images
    self.clip = clip
  }

  /// Returns the frames; empty if neither images nor a video are given.
  package func frames() async throws -> [BurstFrame] {
    guard let clip else {
      return try images.map { path in
        let bytes = try InputFile.bytes(path)
        do {
          guard let luma = try CaptureFileDecoder().burst([bytes]).first else {
            throw OperationError("\(path) has no picture")
          }
          return BurstFrame(luma: luma, at: nil)
        } catch let error as ImageCodecError {
          throw OperationError("\(path): \(error.reason)")
        }
      }
    }
    do {
      return try await CaptureFileDecoder().clip(InputFile.bytes(clip))
    } catch let error as VideoError {
      throw OperationError("\(clip): \(error.reason)")
    }
  }
}
