import MienAuthenticity
import MienCodecs
import MienImaging
import MienModel
import MienRecordings
import MienService

/// Reads the files of captures with the house's codecs.
enum SceneFiles {
  static let reader = SceneReader(picture: picture, depth: depth, png: { try PNGEncoder().encode($0) })

  static func picture(_ bytes: [UInt8]) throws -> PlanarPicture {
    var picture = PlanarPicture()
    var decoder = try PlanarDecoder(limits: PictureLimits(pixels: 64_000_000))
    try decoder.decode(bytes, into: &picture)
    return picture
  }

  /// A depth frame (`MDF1`), or a gray PNG of 16 bits in millimetres.
  static func depth(_ bytes: [UInt8]) throws -> SceneDepth {
    if ImageFormat.sniff(bytes) == .png {
      let map = try PNGDecoder().decodeGray16(bytes)
      guard
        let depth = SceneDepth(
          width: map.width, height: map.height, samples: map.samples, micrometresPerStep: 1000)
      else { throw ToolError("the depth map is too large") }
      return depth
    }
    guard let frame = try DepthFrameCodec.read(ContiguousArray(bytes)).first,
      let depth = SceneDepth(
        width: frame.width, height: frame.height, samples: frame.samples, micrometresPerStep: frame.micrometresPerStep)
    else { throw ToolError("there is no depth frame") }
    return depth
  }
}
