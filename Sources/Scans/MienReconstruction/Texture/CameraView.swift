internal import MienScanFormat

import MienImaging
import MienCore

/// Visibility of a mesh in an image: visible vertices, their pixels and viewing angles.
struct CameraView {
  let camera: PinholeIntrinsics
  let pose: CameraPose
  private let width: Int
  private let height: Int
  private let tolerance: Float
  private let small: PinholeIntrinsics
  private let view: VisibilityMap

  /// Returns nil if the image has no area or its camera is implausible.
  ///
  /// - Parameters:
  ///   - camera: intrinsics in pixels of the image.
  ///   - tolerance: maximum distance of a visible vertex behind the observed surface, in meters.
  init?(
    of mesh: SurfaceMesh, width: Int, height: Int, camera: PinholeIntrinsics, pose: CameraPose, tolerance: Float
  ) {
    guard width > 1, height > 1 else { return nil }
    // Occlusion does not have to be tested at the full resolution of a large photo.
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

  /// Returns the pixel of a surface point; nil if it is outside the image or occluded.
  func pixel(of place: SIMD3<Float>) -> SIMD2<Float>? {
    let at = pose.camera(place)
    guard let pixel = camera.pixel(of: at), let coarse = small.pixel(of: at), pixel.x >= 0, pixel.y >= 0,
      pixel.x < Float(width - 1), pixel.y < Float(height - 1), coarse.x >= 0, coarse.y >= 0
    else { return nil }
    let index = min(Int(coarse.y + 0.5), view.height - 1) * view.width + min(Int(coarse.x + 0.5), view.width - 1)
    let seen = view.meters[index]
    return seen > 0 && -at.z <= seen + tolerance - 0.01 * at.z ? pixel : nil
  }

  /// Returns `true` if a foreground surface is within a few pixels: if depth and image are not aligned to the pixel,
  /// the image shows that surface at this point.
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

  /// Returns the cosine of the angle between a normal and the direction to the camera.
  func squareness(_ normal: SIMD3<Float>, at place: SIMD3<Float>) -> Float {
    let offset = pose.position - place
    return dot(normal, offset) / max(dot(offset, offset).squareRoot(), 1e-6)
  }
}
