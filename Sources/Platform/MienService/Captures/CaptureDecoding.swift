public import MienAuthenticity
public import MienImaging

/// What decodes a capture's files; the composition root hands it in.
public struct CaptureDecoding: Sendable {
  /// What the checks look at in the picture of a JPEG or PNG.
  let image: @Sendable ([UInt8]) async throws -> CaptureInput
  /// What the first bytes of a photo's file say of where it comes from, and how many of them that needs.
  let note: @Sendable ([UInt8]) -> ImageProvenance
  let noteBytes: Int
  /// The depth map of a depth frame or of a PNG of 16 bits.
  let depth: @Sendable ([UInt8]) throws -> CaptureDepthMap
  /// The luma of a burst's pictures.
  let burst: @Sendable ([[UInt8]]) throws -> [Plane]
  /// The frames of a film, with their times.
  let clip: @Sendable ([UInt8]) async throws -> [BurstFrame]
  /// The PNG of a frame.
  let png: @Sendable (Frame) throws -> [UInt8]

  public init(
    image: @escaping @Sendable ([UInt8]) async throws -> CaptureInput,
    noteBytes: Int,
    note: @escaping @Sendable ([UInt8]) -> ImageProvenance,
    depth: @escaping @Sendable ([UInt8]) throws -> CaptureDepthMap,
    burst: @escaping @Sendable ([[UInt8]]) throws -> [Plane],
    clip: @escaping @Sendable ([UInt8]) async throws -> [BurstFrame],
    png: @escaping @Sendable (Frame) throws -> [UInt8]
  ) {
    self.image = image
    self.noteBytes = noteBytes
    self.note = note
    self.depth = depth
    self.burst = burst
    self.clip = clip
    self.png = png
  }
}
