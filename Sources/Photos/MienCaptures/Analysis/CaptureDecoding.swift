public import MienAuthenticity
public import MienImaging

/// Functions that decode a capture's files; injected by the composition root.
public struct CaptureDecoding: Sendable {
  /// Decodes a JPEG or PNG into the input of the checks.
  let image: @Sendable ([UInt8]) async throws -> CaptureInput
  /// Reads the provenance of a photo from the first bytes of its file; `noteBytes` is the number of bytes needed.
  let note: @Sendable ([UInt8]) -> ImageProvenance
  let noteBytes: Int
  /// Decodes the depth map of a depth frame or of a 16-bit PNG.
  let depth: @Sendable ([UInt8]) throws -> CaptureDepthMap
  /// Decodes the luma planes of a burst's images.
  let burst: @Sendable ([[UInt8]]) throws -> [Plane]
  /// Decodes the frames of a clip, with their times.
  let clip: @Sendable ([UInt8]) async throws -> [BurstFrame]
  /// Encodes a frame as PNG.
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
