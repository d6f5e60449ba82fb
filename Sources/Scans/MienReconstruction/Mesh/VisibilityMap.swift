public import MienScanFormat

public import MienCore

/// Visible triangle of a mesh at each pixel of a camera, and its distance.
public struct VisibilityMap: Sendable {
  public let width: Int
  public let height: Int
  public let camera: PinholeIntrinsics
  public let pose: CameraPose
  /// Distance along the viewing axis in meters, row by row; 0 if no surface is visible.
  public private(set) var meters: ContiguousArray<Float>
  /// Index of the visible triangle, row by row; -1 if none is visible.
  public private(set) var triangles: ContiguousArray<Int32>

  /// Renders a mesh from `pose`. Triangles that extend behind the camera are skipped. Returns nil for more than 16
  /// million pixels.
  public init?(_ mesh: SurfaceMesh, width: Int, height: Int, camera: PinholeIntrinsics, pose: CameraPose) {
    guard width > 0, height > 0, width <= 8192, height <= 8192, width * height <= 1 << 24, camera.isPlausible else {
      return nil
    }
    (self.width, self.height, self.camera, self.pose) = (width, height, camera, pose)
    meters = ContiguousArray(repeating: 0, count: width * height)
    triangles = ContiguousArray(repeating: -1, count: width * height)
    // Pixel and inverse distance of every vertex; inverse distance 0 behind the camera.
    var seen = ContiguousArray<SIMD3<Float>>()
    seen.reserveCapacity(mesh.positions.count)
    for position in mesh.positions {
      let at = pose.camera(position)
      guard at.z < -0.001, let pixel = camera.pixel(of: at) else {
        seen.append(.zero)
        continue
      }
      seen.append(SIMD3(pixel.x, pixel.y, -1 / at.z))
    }
    for (number, corners) in mesh.triangles.enumerated() {
      draw(Int32(number), seen[Int(corners.x)], seen[Int(corners.y)], seen[Int(corners.z)])
    }
  }

  private mutating func draw(_ number: Int32, _ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>) {
    guard a.z > 0, b.z > 0, c.z > 0 else { return }
    let (least, most) = (pointwiseMin(a, pointwiseMin(b, c)), pointwiseMax(a, pointwiseMax(b, c)))
    guard most.x >= 0, most.y >= 0, least.x <= Float(width - 1), least.y <= Float(height - 1) else { return }
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    guard abs(area) > 1e-9 else { return }
    let left = Int(max(least.x, 0).rounded(.up))
    let right = Int(min(most.x, Float(width - 1)))
    let top = Int(max(least.y, 0).rounded(.up))
    let bottom = Int(min(most.y, Float(height - 1)))
    guard left <= right, top <= bottom else { return }
    for y in top...bottom {
      for x in left...right {
        let (px, py) = (Float(x), Float(y))
        let toB = ((px - a.x) * (c.y - a.y) - (py - a.y) * (c.x - a.x)) / area
        let toC = ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x)) / area
        // A tiny overlap, so that no pixel is missed between two triangles.
        guard toB >= -1e-4, toC >= -1e-4, toB + toC <= 1.0001 else { continue }
        let distance = 1 / (a.z + toB * (b.z - a.z) + toC * (c.z - a.z))
        let index = y * width + x
        if meters[index] == 0 || distance < meters[index] {
          meters[index] = distance
          triangles[index] = number
        }
      }
    }
  }

  /// Returns the world position visible at a pixel; nil if there is none or the pixel is outside the image.
  public func place(x: Float, y: Float) -> SIMD3<Float>? {
    guard x >= -0.5, y >= -0.5, x < Float(width) - 0.5, y < Float(height) - 0.5 else { return nil }
    let distance = meters[Int(y + 0.5) * width + Int(x + 0.5)]
    return distance > 0 ? pose.world(camera.point(u: x, v: y, distance: distance)) : nil
  }
}

extension VisibilityMap: CustomStringConvertible, CustomReflectable {
  public var description: String { "VisibilityMap(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
