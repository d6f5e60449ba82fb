public import MienAuthenticity
public import MienImaging

/// What decodes a capture's files; the composition root hands it in.
public struct SceneReader: Sendable {
  /// The picture of a JPEG or PNG.
  let picture: @Sendable ([UInt8]) throws -> PlanarPicture
  /// The depth map of a depth frame or of a PNG of 16 bits.
  let depth: @Sendable ([UInt8]) throws -> SceneDepth
  /// The PNG of a frame.
  let png: @Sendable (Frame) throws -> [UInt8]

  public init(
    picture: @escaping @Sendable ([UInt8]) throws -> PlanarPicture,
    depth: @escaping @Sendable ([UInt8]) throws -> SceneDepth,
    png: @escaping @Sendable (Frame) throws -> [UInt8]
  ) {
    self.picture = picture
    self.depth = depth
    self.png = png
  }
}
