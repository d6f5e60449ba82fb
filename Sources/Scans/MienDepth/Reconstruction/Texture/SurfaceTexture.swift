public import MienImaging

/// A picture that is laid onto a mesh: for each corner of each triangle the place in the picture that lies there.
///
/// A vertex where pieces of the picture meet has several places; the mesh itself stays whole.
public struct SurfaceTexture: Sendable {
  /// The picture: pieces of photos side by side, with the colours that the surface has under the photos' light.
  public let image: Frame
  /// Places in ``picture``, each 0…1: u to the right and v down, (0, 0) the upper left corner of the picture.
  public let coordinates: ContiguousArray<SIMD2<Float>>
  /// The mesh's vertex of each place; as many as ``coordinates``.
  public let vertices: ContiguousArray<UInt32>
  /// The corners of the mesh's triangles as numbers of places, in the order of the mesh's triangles.
  public let triangles: ContiguousArray<SIMD3<UInt32>>
  /// Triangles that a photo shows; the others have the colours of their vertices.
  public let photographed: Int

  /// The place in ``picture`` of a point of a triangle, by the shares of its three corners.
  public func place(in triangle: Int, shares: SIMD3<Float>) -> SIMD2<Float> {
    let corners = triangles[triangle]
    return coordinates[Int(corners.x)] * shares.x + coordinates[Int(corners.y)] * shares.y
      + coordinates[Int(corners.z)] * shares.z
  }

  /// The colour at a place, between four pixels, 0…255.
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
