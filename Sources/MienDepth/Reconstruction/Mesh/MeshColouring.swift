public import MienImaging
public import MienModel

/// Collects the colours of a mesh's vertices from pictures whose cameras are known.
public struct MeshColouring: Sendable {
  private let mesh: SurfaceMesh
  private var sums: ContiguousArray<SIMD4<Float>>

  public init(_ mesh: SurfaceMesh) {
    self.mesh = mesh
    sums = ContiguousArray(repeating: .zero, count: mesh.positions.count)
  }

  /// Adds a picture. Vertices that the camera sees get the colour of their pixel; it counts more the more squarely the
  /// surface is looked at.
  ///
  /// - Parameters:
  ///   - camera: in pixels of the picture.
  ///   - tolerance: how far behind the surface seen a vertex may lie and still be seen, in metres; about two voxels.
  public mutating func add(_ picture: Frame, camera: PinholeIntrinsics, pose: CameraPose, tolerance: Float) {
    guard picture.width > 1, picture.height > 1 else { return }
    // Whether a vertex is hidden need not be known to the pixel of a large photo.
    let shrink = max(1, Float(max(picture.width, picture.height)) / 640)
    let small = PinholeIntrinsics(
      fx: camera.fx / shrink, fy: camera.fy / shrink, cx: (camera.cx + 0.5) / shrink - 0.5,
      cy: (camera.cy + 0.5) / shrink - 0.5)
    guard
      let view = VisibilityMap(
        mesh, width: max(2, Int(Float(picture.width) / shrink)), height: max(2, Int(Float(picture.height) / shrink)),
        camera: small, pose: pose)
    else { return }
    for vertex in mesh.positions.indices {
      let at = pose.camera(mesh.positions[vertex])
      guard let pixel = camera.pixel(of: at), let coarse = small.pixel(of: at), pixel.x >= 0, pixel.y >= 0,
        pixel.x < Float(picture.width - 1), pixel.y < Float(picture.height - 1), coarse.x >= 0, coarse.y >= 0
      else { continue }
      let index =
        min(Int(coarse.y + 0.5), view.height - 1) * view.width + min(Int(coarse.x + 0.5), view.width - 1)
      let seen = view.metres[index]
      guard seen > 0, -at.z <= seen + tolerance - 0.01 * at.z else { continue }
      let arm = pose.position - mesh.positions[vertex]
      let squareness = dot(mesh.normals[vertex], arm) / dot(arm, arm).squareRoot()
      guard squareness > 0.1 else { continue }
      let weight = squareness * squareness
      sums[vertex] += SIMD4(picture.colour(at: pixel) * weight, weight)
    }
  }

  /// The mesh with colours: those collected, and for vertices that no picture shows the mean of their neighbours',
  /// grey where there is none. The mesh as it was when no picture shows any of it.
  public func coloured() -> SurfaceMesh {
    guard sums.contains(where: { $0.w > 0 }) else { return mesh }
    var sums = sums
    for _ in 0..<8 {
      var spread = ContiguousArray<SIMD4<Float>>(repeating: .zero, count: sums.count)
      var isDone = true
      for corners in mesh.triangles {
        for corner in 0..<3 where sums[Int(corners[corner])].w == 0 {
          isDone = false
          for other in [corners[(corner + 1) % 3], corners[(corner + 2) % 3]] where sums[Int(other)].w > 0 {
            spread[Int(corners[corner])] += sums[Int(other)] / sums[Int(other)].w
          }
        }
      }
      if isDone { break }
      for vertex in sums.indices where sums[vertex].w == 0 { sums[vertex] = spread[vertex] }
    }
    var mesh = mesh
    mesh.colours = ContiguousArray(
      sums.map { sum in
        guard sum.w > 0 else { return SIMD3(128, 128, 128) }
        let colour = sum / sum.w + 0.5
        return SIMD3(UInt8(min(colour.x, 255)), UInt8(min(colour.y, 255)), UInt8(min(colour.z, 255)))
      })
    return mesh
  }
}

extension Frame {
  /// The colour at a place between four pixels, 0…255, red, green, blue.
  fileprivate func colour(at pixel: SIMD2<Float>) -> SIMD3<Float> {
    let (x, y) = (Int(pixel.x), Int(pixel.y))
    let (fx, fy) = (pixel.x - Float(x), pixel.y - Float(y))
    func read(_ x: Int, _ y: Int) -> SIMD3<Float> {
      let pixel = self[x, y]
      return SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue))
    }
    let top = read(x, y) * (1 - fx) + read(x + 1, y) * fx
    let bottom = read(x, y + 1) * (1 - fx) + read(x + 1, y + 1) * fx
    return top * (1 - fy) + bottom * fy
  }
}

extension MeshColouring: CustomStringConvertible, CustomReflectable {
  public var description: String { "MeshColouring(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
