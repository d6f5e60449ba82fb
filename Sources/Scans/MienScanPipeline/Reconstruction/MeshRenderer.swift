internal import Foundation
internal import MienCore
package import MienScanFormat
package import MienReconstruction
package import MienImaging

/// Renders meshes and depth maps for viewing.
package enum MeshRenderer {
  /// Renders a mesh as seen from a camera, lit from the camera's upper left, with 2 × 2 supersampling for smooth edges.
  ///
  /// - Parameter region: triangles with a corner outside are background; nil for all triangles.
  package static func draw(
    _ mesh: SurfaceMesh, _ texture: SurfaceTexture? = nil, in region: SubjectRegion? = nil, from pose: CameraPose,
    width: Int, height: Int
  ) -> Frame? {
    // Field of view of about 40 degrees.
    let focal = Float(2 * max(width, height)) * 1.3
    let camera = PinholeIntrinsics(fx: focal, fy: focal, cx: Float(width) - 0.5, cy: Float(height) - 0.5)
    guard let view = VisibilityMap(mesh, width: 2 * width, height: 2 * height, camera: camera, pose: pose) else {
      return nil
    }
    let light = unit(pose.right * -0.4 + pose.up * 0.6 + pose.back)
    var frame = Frame(width: width, height: height)
    for y in 0..<height {
      let shade = 26 + 30 * Float(y) / Float(height)
      let background = SIMD3(shade, shade, shade + 8)
      for x in 0..<width {
        var sum = SIMD3<Float>.zero
        for part in 0..<4 {
          let (column, row) = (2 * x + part % 2, 2 * y + part / 2)
          var triangle = Int(view.triangles[row * 2 * width + column])
          if let region, triangle >= 0, !isInside(mesh, triangle, region) { triangle = -1 }
          var photographed: SIMD3<Float>?
          if let texture, triangle >= 0, let place = view.place(x: Float(column), y: Float(row)) {
            let shares = shares(of: place, in: mesh, triangle)
            photographed = texture.color(at: texture.place(in: triangle, shares: shares))
          }
          sum += triangle < 0 ? background : shaded(mesh, triangle, light, pose, photographed)
        }
        let color = sum / 4 + 0.5
        frame[x, y] = Pixel(red: byte(color.x), green: byte(color.y), blue: byte(color.z))
      }
    }
    return frame
  }

  private static func isInside(_ mesh: SurfaceMesh, _ triangle: Int, _ region: SubjectRegion) -> Bool {
    let corners = mesh.triangles[triangle]
    return (0..<3).allSatisfy { region.contains(mesh.positions[Int(corners[$0])]) }
  }

  private static func shaded(
    _ mesh: SurfaceMesh, _ triangle: Int, _ light: SIMD3<Float>, _ pose: CameraPose, _ photographed: SIMD3<Float>?
  ) -> SIMD3<Float> {
    let corners = mesh.triangles[triangle]
    var normal = SIMD3<Float>.zero
    var color = SIMD3<Float>(repeating: 205)
    for corner in 0..<3 { normal += mesh.normals[Int(corners[corner])] }
    if let photographed {
      color = photographed
    } else if !mesh.colors.isEmpty {
      color = .zero
      for corner in 0..<3 { color += SIMD3<Float>(mesh.colors[Int(corners[corner])]) / 3 }
    }
    normal = unit(normal)
    // Back faces are bluish, so that holes and inner sides can be recognized.
    let isFront = (normal * pose.back).sum() > -0.2
    let strength = 0.25 + 0.75 * max((normal * light).sum(), 0)
    return isFront ? color * strength : SIMD3(60, 70, 110)
  }

  /// Returns the barycentric coordinates of a point in a triangle's plane, clamped to the triangle.
  private static func shares(of place: SIMD3<Float>, in mesh: SurfaceMesh, _ triangle: Int) -> SIMD3<Float> {
    let corners = mesh.triangles[triangle]
    let a = mesh.positions[Int(corners.x)]
    let (u, v, w) = (mesh.positions[Int(corners.y)] - a, mesh.positions[Int(corners.z)] - a, place - a)
    let (uu, uv, vv) = ((u * u).sum(), (u * v).sum(), (v * v).sum())
    let (wu, wv) = ((w * u).sum(), (w * v).sum())
    let area = uu * vv - uv * uv
    guard area > 0 else { return SIMD3(repeating: 1 / 3) }
    let second = min(max((vv * wu - uv * wv) / area, 0), 1)
    let third = min(max((uu * wv - uv * wu) / area, 0), 1 - second)
    return SIMD3(1 - second - third, second, third)
  }

  /// Returns a camera that has the subject in view, or without a subject the mesh except stray vertices. The camera is
  /// rotated around it by `yaw` and raised by `pitch` (degrees) from a front view, or from a view along −z if the mesh has
  /// no front.
  package static func camera(
    on mesh: SurfaceMesh, _ subject: SubjectRegion? = nil, yaw: Float, pitch: Float
  ) -> CameraPose? {
    guard let (least, most) = mesh.robustBounds(in: subject) else { return nil }
    let front = mesh.front.map { atan2($0.x, $0.z) * 180 / .pi } ?? 0
    let (sy, cy) = sine(front + yaw)
    let (sp, cp) = sine(pitch)
    let back = SIMD3(sy * cp, sp, cy * cp)
    let right = SIMD3(cy, 0, -sy)
    let up = SIMD3(-sy * sp, cp, -cy * sp)
    let size = most - least
    let away = (size * size).sum().squareRoot() * 1.8
    return try? CameraPose(right: right, up: up, back: back, position: (least + most) / 2 + back * away)
  }

  /// Renders a depth map in false color: near warm, far cool, missing values black. The range is the 2nd to the 98th
  /// percentile of the map's distances.
  package static func draw(_ frame: ScanFrame) -> Frame {
    let valid = frame.depth.filter { $0 > 0 }.sorted()
    var image = Frame(width: frame.width, height: frame.height)
    guard let first = valid.first, let last = valid.last else { return image }
    let near = valid.count > 50 ? valid[valid.count / 50] : first
    let far = valid.count > 50 ? valid[valid.count - 1 - valid.count / 50] : last
    let span = max(Float(far) - Float(near), 1)
    for y in 0..<frame.height {
      for x in 0..<frame.width {
        let sample = frame.depth[y * frame.width + x]
        guard sample > 0 else { continue }
        let place = (Float(sample) - Float(near)) / span
        image[x, y] = color(min(max(place, 0), 1))
      }
    }
    return image
  }

  private static let ramp: [SIMD3<Float>] = [
    [255, 238, 190], [250, 160, 70], [214, 60, 70], [140, 40, 120], [60, 50, 140], [30, 110, 160], [90, 190, 170],
  ]

  private static func color(_ place: Float) -> Pixel {
    let at = place * Float(ramp.count - 1)
    let index = min(Int(at), ramp.count - 2)
    let mixed = ramp[index] + (ramp[index + 1] - ramp[index]) * (at - Float(index))
    return Pixel(red: byte(mixed.x), green: byte(mixed.y), blue: byte(mixed.z))
  }

  /// Arranges images in a grid of `columns` columns with a line between them; each cell is as large as the first image.
  package static func sheet(_ images: [Frame], columns: Int) -> Frame {
    guard let first = images.first else { return Frame() }
    let rows = (images.count + columns - 1) / columns
    let across = min(columns, images.count)
    var sheet = Frame(
      width: across * first.width + (across - 1) * 2, height: rows * first.height + (rows - 1) * 2,
      filledWith: Pixel(red: 40, green: 40, blue: 44))
    for (number, image) in images.enumerated() {
      let (left, top) = ((number % columns) * (first.width + 2), number / columns * (first.height + 2))
      for y in 0..<min(image.height, first.height) {
        for x in 0..<min(image.width, first.width) { sheet[left + x, top + y] = image[x, y] }
      }
    }
    return sheet
  }

  private static func byte(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255)) }
  private static func unit(_ v: SIMD3<Float>) -> SIMD3<Float> {
    let length = (v * v).sum().squareRoot()
    return length > 0 ? v / length : [0, 0, 1]
  }

  private static func sine(_ degrees: Float) -> (sine: Float, cosine: Float) {
    let radians = Double(degrees) * .pi / 180
    return (Float(sin(radians)), Float(cos(radians)))
  }
}
