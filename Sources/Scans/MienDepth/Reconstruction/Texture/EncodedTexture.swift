/// A texture and its picture as a file, as formats of meshes carry it.
public struct EncodedTexture: Sendable {
  public let texture: SurfaceTexture
  /// A whole JPEG of ``SurfaceTexture/picture``.
  public let jpeg: ContiguousArray<UInt8>

  /// - Parameter jpeg: the texture's picture, encoded.
  public init(_ texture: SurfaceTexture, jpeg: some Sequence<UInt8>) {
    self.texture = texture
    self.jpeg = ContiguousArray(jpeg)
  }
}

extension EncodedTexture: CustomStringConvertible, CustomReflectable {
  public var description: String { "EncodedTexture(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
