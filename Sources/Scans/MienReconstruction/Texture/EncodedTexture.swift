/// Texture with its image as an encoded file, as embedded in mesh formats.
public struct EncodedTexture: Sendable {
  public let texture: SurfaceTexture
  /// ``SurfaceTexture/image`` as a complete JPEG.
  public let jpeg: ContiguousArray<UInt8>

  /// - Parameter jpeg: the encoded texture image.
  public init(_ texture: SurfaceTexture, jpeg: some Sequence<UInt8>) {
    self.texture = texture
    self.jpeg = ContiguousArray(jpeg)
  }
}

extension EncodedTexture: CustomStringConvertible, CustomReflectable {
  public var description: String { "EncodedTexture(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
