internal import MienScanFormat

internal import MienCore

/// Computes the 3-D positions of image landmarks from the corresponding depth.
struct LandmarkBackProjector {
  /// Position of a landmark.
  struct Place {
    /// Position in the image camera's coordinate system, in meters.
    let point: SIMD3<Float>
    /// Unit vector from the camera to the position.
    let ray: SIMD3<Float>
    /// Variance of the distance, in square meters.
    let variance: Float
  }

  private let view: FaceMeasurer.View
  private let map: DepthMap
  private let depthPose: CameraPose?
  private let step: Float
  private let settings: FaceMeasureSettings
  /// Estimated distance of the face, in meters.
  private let guess: Float

  init(
    _ view: FaceMeasurer.View, _ map: DepthMap, depthPose: CameraPose?, step: Float, _ settings: FaceMeasureSettings
  ) {
    (self.view, self.map, self.depthPose, self.step, self.settings) = (view, map, depthPose, step, settings)
    let ends = [FacePoint.pupilRight, .pupilLeft].map { Self.pixel(of: $0, in: view) }
    let across = ends[1] - ends[0]
    // The mean interpupillary distance is 63 mm for adults and 50 mm for children, which is accurate enough for an
    // initial guess.
    guess = view.camera.fx * 0.06 / max((across * across).sum().squareRoot(), 1)
  }

  private static func pixel(of point: FacePoint, in view: FaceMeasurer.View) -> SIMD2<Float> {
    let landmark = view.landmarks.points[point.landmark]
    // Converts fractions of the image to pixel coordinates with integer pixel centers.
    return [landmark.x * Float(view.width) - 0.5, landmark.y * Float(view.height) - 0.5]
  }

  /// Returns nil if there is no depth.
  func place(of point: FacePoint) -> Place? {
    let pixel = Self.pixel(of: point, in: view)
    guard pixel.x.isFinite, pixel.y.isFinite else { return nil }
    let ray = view.camera.point(u: pixel.x, v: pixel.y, distance: 1)
    var distance = guess
    // The pixel at which the depth camera shows the point depends on the distance; a few iterations converge.
    for _ in 0..<8 {
      guard let seen = map.intrinsics.pixel(of: inDepthCamera(ray * distance)),
        let patch = SurfacePatch(map, x: seen.x, y: seen.y, guess: distance, step: step, settings)
      else { return nil }
      let found = map.intrinsics.point(u: seen.x, v: seen.y, distance: patch.distance)
      let next = -inImageCamera(found).z
      guard next > 0 else { return nil }
      let isSettled = abs(next - distance) < 2e-4
      distance = next
      guard isSettled else { continue }
      return Place(
        point: ray * distance, ray: ray / dot(ray, ray).squareRoot(),
        variance: patch.uncertainty * patch.uncertainty)
    }
    return nil
  }

  private func inDepthCamera(_ point: SIMD3<Float>) -> SIMD3<Float> {
    guard let pose = view.pose, let depthPose else { return point }
    return depthPose.camera(pose.world(point))
  }

  private func inImageCamera(_ point: SIMD3<Float>) -> SIMD3<Float> {
    guard let pose = view.pose, let depthPose else { return point }
    return pose.camera(depthPose.world(point))
  }
}
