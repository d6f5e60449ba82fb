public import MienScanFormat

public import MienImaging
public import MienCore

/// Computes the vertex colors of a mesh from images with known cameras.
public struct VertexColorizer: Sendable {
  private let mesh: SurfaceMesh
  private var sums: ContiguousArray<SIMD4<Float>>

  public init(_ mesh: SurfaceMesh) {
    self.mesh = mesh
    sums = ContiguousArray(repeating: .zero, count: mesh.positions.count)
  }

  /// Adds an image. Vertices visible in it get the color of their pixel, with more weight the more perpendicular the
  /// view.
  ///
  /// - Parameters:
  ///   - image: a color image of the scan.
  ///   - camera: intrinsics in pixels of the image.
  ///   - pose: the camera's pose in the scan.
  ///   - tolerance: maximum distance of a visible vertex behind the observed surface, in meters; about two voxels.
  public mutating func add(_ image: Frame, camera: PinholeIntrinsics, pose: CameraPose, tolerance: Float) {
    guard max(image.width, image.height) <= Frame.widest,
      let view = CameraView(
        of: mesh, width: image.width, height: image.height, camera: camera, pose: pose, tolerance: tolerance)
    else { return }
    add(image, seen: view)
  }

  mutating func add(_ image: Frame, seen view: CameraView) {
    for vertex in mesh.positions.indices {
      guard let pixel = view.pixel(of: mesh.positions[vertex]) else { continue }
      let squareness = view.squareness(mesh.normals[vertex], at: mesh.positions[vertex])
      guard squareness > 0.1 else { continue }
      let weight = squareness * squareness
      sums[vertex] += SIMD4(image.color(at: pixel) * weight, weight)
    }
  }

  /// Returns the mesh with the collected colors; vertices not visible in any image get the mean color of their
  /// neighbors, or gray without one. Returns the mesh unchanged if no image shows any of it.
  public func colored() -> SurfaceMesh {
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
    mesh.colors = ContiguousArray(
      sums.map { sum in
        guard sum.w > 0 else { return SIMD3(128, 128, 128) }
        let color = sum / sum.w + 0.5
        return SIMD3(UInt8(min(color.x, 255)), UInt8(min(color.y, 255)), UInt8(min(color.z, 255)))
      })
    return mesh
  }
}

extension VertexColorizer: CustomStringConvertible, CustomReflectable {
  public var description: String { "VertexColorizer(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
