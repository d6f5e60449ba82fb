import MienImaging
import MienCore

/// What a picture shows of a mesh: which vertices, where, and how squarely.
struct CameraView {
  let camera: PinholeIntrinsics
  let pose: CameraPose
  private let width: Int
  private let height: Int
  private let tolerance: Float
  private let small: PinholeIntrinsics
  private let view: VisibilityMap

  /// Nil when the picture has no area or its camera is implausible.
  ///
  /// - Parameters:
  ///   - camera: in pixels of the picture.
  ///   - tolerance: how far behind the surface seen a vertex may lie and still be seen, in metres.
  init?(
    of mesh: SurfaceMesh, width: Int, height: Int, camera: PinholeIntrinsics, pose: CameraPose, tolerance: Float
  ) {
    guard width > 1, height > 1 else { return nil }
    // Whether a vertex is hidden need not be known to the pixel of a large photo.
    let shrink = max(1, Float(max(width, height)) / 640)
    let small = PinholeIntrinsics(
      fx: camera.fx / shrink, fy: camera.fy / shrink, cx: (camera.cx + 0.5) / shrink - 0.5,
      cy: (camera.cy + 0.5) / shrink - 0.5)
    guard
      let view = VisibilityMap(
        mesh, width: max(2, Int(Float(width) / shrink)), height: max(2, Int(Float(height) / shrink)), camera: small,
        pose: pose)
    else { return nil }
    (self.camera, self.pose, self.width, self.height) = (camera, pose, width, height)
    (self.tolerance, self.small, self.view) = (tolerance, small, view)
  }

  /// The pixel of a place on the surface; nil when it is outside the picture or something is before it.
  func pixel(of place: SIMD3<Float>) -> SIMD2<Float>? {
    let at = pose.camera(place)
    guard let pixel = camera.pixel(of: at), let coarse = small.pixel(of: at), pixel.x >= 0, pixel.y >= 0,
      pixel.x < Float(width - 1), pixel.y < Float(height - 1), coarse.x >= 0, coarse.y >= 0
    else { return nil }
    let index = min(Int(coarse.y + 0.5), view.height - 1) * view.width + min(Int(coarse.x + 0.5), view.width - 1)
    let seen = view.meters[index]
    return seen > 0 && -at.z <= seen + tolerance - 0.01 * at.z ? pixel : nil
  }

  /// Whether something stands out before a place a few pixels away: where depth and picture do not fit to the pixel, such a
  /// place shows what stands there.
  func isBesideAnEdge(_ place: SIMD3<Float>) -> Bool {
    let at = pose.camera(place)
    guard let coarse = small.pixel(of: at) else { return true }
    let last = SIMD2(Float(view.width - 1), Float(view.height - 1))
    let middle = pointwiseMin(pointwiseMax(coarse + 0.5, .zero), last)
    let reach = 3
    let columns = max(Int(middle.x) - reach, 0)...min(Int(middle.x) + reach, view.width - 1)
    let nearest = -at.z - max(0.02, 3 * tolerance)
    for row in max(Int(middle.y) - reach, 0)...min(Int(middle.y) + reach, view.height - 1) {
      for column in columns {
        let seen = view.meters[row * view.width + column]
        if seen > 0, seen < nearest { return true }
      }
    }
    return false
  }

  /// The cosine of the angle between a normal and the way to the camera.
  func squareness(_ normal: SIMD3<Float>, at place: SIMD3<Float>) -> Float {
    let arm = pose.position - place
    return dot(normal, arm) / max(dot(arm, arm).squareRoot(), 1e-6)
  }
}
