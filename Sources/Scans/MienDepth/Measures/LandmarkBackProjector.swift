internal import MienCore

/// Finds where landmarks of a picture lie in space, by the depth that was measured with it.
struct LandmarkBackProjector {
  /// Where a landmark lies.
  struct Place {
    /// In the space of the picture's camera, in metres.
    let point: SIMD3<Float>
    /// The unit vector from the camera to it.
    let ray: SIMD3<Float>
    /// Variance of its distance, in square metres.
    let variance: Float
  }

  private let view: FaceMeasurer.View
  private let map: DepthMap
  private let depthPose: CameraPose?
  private let step: Float
  private let settings: FaceMeasureSettings
  /// About how far away the face is, in metres.
  private let guess: Float

  init(
    _ view: FaceMeasurer.View, _ map: DepthMap, depthPose: CameraPose?, step: Float, _ settings: FaceMeasureSettings
  ) {
    (self.view, self.map, self.depthPose, self.step, self.settings) = (view, map, depthPose, step, settings)
    let ends = [FacePoint.pupilRight, .pupilLeft].map { Self.pixel(of: $0, in: view) }
    let across = ends[1] - ends[0]
    // Pupils of grown-ups are 63 mm apart in the mean; a child's 50: near enough to begin with.
    guess = view.camera.fx * 0.06 / max((across * across).sum().squareRoot(), 1)
  }

  private static func pixel(of point: FacePoint, in view: FaceMeasurer.View) -> SIMD2<Float> {
    let landmark = view.landmarks.points[point.landmark]
    // From fractions of the picture to pixels whose middles are whole numbers.
    return [landmark.x * Float(view.width) - 0.5, landmark.y * Float(view.height) - 0.5]
  }

  /// Nil where there is no depth.
  func place(of point: FacePoint) -> Place? {
    let pixel = Self.pixel(of: point, in: view)
    guard pixel.x.isFinite, pixel.y.isFinite else { return nil }
    let ray = view.camera.point(u: pixel.x, v: pixel.y, distance: 1)
    var distance = guess
    // Two cameras see the point at different pixels, which depend on how far away it is: a few rounds settle that.
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
