package import MienAuthenticity
internal import MienCodecs
internal import MienFiles
internal import MienImaging
internal import MienRuntime

/// Reads images and depth maps for the commands that analyze photos.
package enum PhotoFile {
  static let limits = ImageLimits(pixels: 60_000_000)

  /// Returns the samples of an image that the checks need.
  ///
  /// - Throws: ``OperationError`` if it cannot be decoded.
  static func image(_ path: String, _ decoder: inout YCbCrDecoder) throws -> SampledImage {
    let bytes = try InputFile.bytes(path)
    do {
      return try decoder.sample(bytes, SamplingPlan.forChecks)
    } catch {
      throw OperationError("\(path): \(error.reason)")
    }
  }

  /// Returns the capture input, with tiles that another core measured during decoding.
  package static func scene(_ path: String) async throws -> CaptureInput {
    let bytes = try InputFile.bytes(path)
    do {
      return try await ParallelImageDecoder.read(bytes, limits: limits)
    } catch let error as ImageCodecError {
      throw OperationError("\(path): \(error.reason)")
    }
  }

  /// Returns the kinds of the images in an image's file beside it, for example `depth`.
  package static func embeddedImages(_ path: String) throws -> [String] {
    EmbeddedImages.kinds(in: try InputFile.bytes(path)).map(\.rawValue)
  }

  /// Reads a depth map: a 16-bit gray PNG with `micrometers` per step.
  package static func depth(_ path: String, micrometers: Int) throws -> CaptureDepthMap {
    let map: Gray16Image
    do {
      map = try PNGDecoder(limits: limits).decodeGray16(InputFile.bytes(path))
    } catch let error as ImageCodecError {
      throw OperationError("\(path): \(error.reason)")
    }
    guard
      let depth = CaptureDepthMap(
        width: map.width, height: map.height, samples: map.samples, micrometersPerStep: micrometers)
    else { throw OperationError("\(path): a depth map has at most 4096 × 4096 samples.") }
    return depth
  }
}
