public import MienImaging

/// Texture of a mesh: an image, and the texture coordinates of each corner of each triangle.
///
/// A mesh vertex on a seam has several texture vertices; the mesh itself is not cut.
public struct SurfaceTexture: Sendable {
  /// Texture atlas: pieces of photos side by side, with the surface colors under the photos' illumination.
  public let image: Frame
  /// Texture coordinates in ``image``, each 0…1: u to the right and v down, (0, 0) at the upper-left corner of the
  /// image.
  public let coordinates: ContiguousArray<SIMD2<Float>>
  /// Mesh vertex of each texture vertex; as many as ``coordinates``.
  public let vertices: ContiguousArray<UInt32>
  /// Texture vertex indices of the triangles, in the order of the mesh's triangles.
  public let triangles: ContiguousArray<SIMD3<UInt32>>
  /// Number of triangles visible in a photo; the others have the colors of their vertices.
  public let photographed: Int

  /// Returns the texture coordinates of a point in a triangle, given by its barycentric coordinates.
  public func place(in triangle: Int, shares: SIMD3<Float>) -> SIMD2<Float> {
    let corners = triangles[triangle]
    return coordinates[Int(corners.x)] * shares.x + coordinates[Int(corners.y)] * shares.y
      + coordinates[Int(corners.z)] * shares.z
  }

  /// Returns the bilinearly interpolated color at texture coordinates, 0…255.
  public func color(at place: SIMD2<Float>) -> SIMD3<Float> {
    let most = SIMD2(Float(image.width) - 1.001, Float(image.height) - 1.001)
    let at = place * SIMD2(Float(image.width), Float(image.height)) - 0.5
    return image.color(at: pointwiseMin(pointwiseMax(at, .zero), pointwiseMax(most, .zero)))
  }
}

extension SurfaceTexture: CustomStringConvertible, CustomReflectable {
  public var description: String { "SurfaceTexture(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Texture with its image as an encoded file, as embedded in mesh formats.
public struct EncodedTexture: Sendable {
  public let texture: SurfaceTexture
  /// ``SurfaceTexture/image`` as a complete JPEG.
  public let jpeg: ContiguousArray<UInt8>

  /// - Parameters:
  ///   - texture: the texture whose coordinates refer to the image.
  ///   - jpeg: the encoded texture image.
  public init(_ texture: SurfaceTexture, jpeg: some Sequence<UInt8>) {
    self.texture = texture
    self.jpeg = ContiguousArray(jpeg)
  }
}

extension EncodedTexture: CustomStringConvertible, CustomReflectable {
  public var description: String { "EncodedTexture(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
