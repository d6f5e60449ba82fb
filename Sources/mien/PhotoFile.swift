import Foundation
import MienAuthenticity
import MienCodecs
import MienImaging

/// Pictures and depth maps as the commands for photographs read them.
enum PhotoFile {
  static let limits = PictureLimits(pixels: 60_000_000)

  /// What the checks look at in a picture, or what is wrong with it.
  static func picture(_ path: String, _ decoder: inout PlanarDecoder) throws -> SampledPicture {
    let bytes = try Input.bytes(path)
    do {
      return try decoder.sample(bytes, PictureSampling.forChecks)
    } catch {
      throw ToolError("\(path): \(error.reason)")
    }
  }

  /// The same, with tiles that were measured by another core meanwhile.
  static func scene(_ path: String) async throws -> SceneCapture {
    let bytes = try Input.bytes(path)
    do {
      return try await ScenePicture.read(bytes, limits: limits)
    } catch let error as PictureError {
      throw ToolError("\(path): \(error.reason)")
    }
  }

  /// A depth map: a PNG of 16-bit grey, `micrometres` a step.
  static func depth(_ path: String, micrometres: Int) throws -> SceneDepth {
    let map: GrayMap
    do {
      map = try PNGDecoder(limits: limits).decodeGray16(Input.bytes(path))
    } catch let error as PictureError {
      throw ToolError("\(path): \(error.reason)")
    }
    guard
      let depth = SceneDepth(
        width: map.width, height: map.height, samples: map.samples, micrometresPerStep: micrometres)
    else { throw ToolError("\(path): a depth map has at most 4096 × 4096 samples.") }
    return depth
  }
}
