import Foundation
import MienAuthenticity
import MienCodecs
import MienImaging

/// Pictures and depth maps as the commands for photographs read them.
enum PhotoFile {
  static let limits = ImageLimits(pixels: 60_000_000)

  /// What the checks look at in a picture, or what is wrong with it.
  static func image(_ path: String, _ decoder: inout YCbCrDecoder) throws -> SampledImage {
    let bytes = try Input.bytes(path)
    do {
      return try decoder.sample(bytes, SamplingPlan.forChecks)
    } catch {
      throw CommandError("\(path): \(error.reason)")
    }
  }

  /// The same, with tiles that were measured by another core meanwhile.
  static func scene(_ path: String) async throws -> CaptureInput {
    let bytes = try Input.bytes(path)
    do {
      return try await ParallelImageDecoder.read(bytes, limits: limits)
    } catch let error as ImageCodecError {
      throw CommandError("\(path): \(error.reason)")
    }
  }

  /// A depth map: a PNG of 16-bit grey, `micrometres` a step.
  static func depth(_ path: String, micrometers: Int) throws -> CaptureDepthMap {
    let map: Gray16Image
    do {
      map = try PNGDecoder(limits: limits).decodeGray16(Input.bytes(path))
    } catch let error as ImageCodecError {
      throw CommandError("\(path): \(error.reason)")
    }
    guard
      let depth = CaptureDepthMap(
        width: map.width, height: map.height, samples: map.samples, micrometersPerStep: micrometers)
    else { throw CommandError("\(path): a depth map has at most 4096 × 4096 samples.") }
    return depth
  }
}
