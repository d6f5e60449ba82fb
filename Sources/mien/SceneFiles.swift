import MienAuthenticity
import MienCodecs
import MienFilms
import MienImaging
import MienModel
import MienRecordings
import MienService

/// Reads the files of captures with the house's codecs.
enum SceneFiles {
  static let reader = SceneReader(
    picture: picture, noteBytes: PictureNotes.headBytes, note: PictureNotes.read, depth: depth, burst: burst,
    clip: clip, png: { try PNGEncoder().encode($0) })

  @Sendable
  static func picture(_ bytes: [UInt8]) async throws -> SceneCapture {
    try await ScenePicture.read(bytes, limits: PictureLimits(pixels: 64_000_000))
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

  /// The luma of a burst's pictures, each decoded and made small before the next.
  static func burst(_ files: [[UInt8]]) throws -> [Plane] {
    var picture = PlanarPicture()
    var decoder = try PlanarDecoder(limits: PictureLimits(pixels: 16_000_000))
    return try files.map { file in
      try decoder.decode(file, into: &picture)
      return BurstFrame.small(picture.luma)
    }
  }

  /// The frames of a film.
  static func clip(_ bytes: [UInt8]) async throws -> [BurstFrame] {
    try await ClipReader().frames(of: bytes).map { BurstFrame(luma: $0.luma, at: $0.at) }
  }
}
