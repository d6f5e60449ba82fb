internal import MienScanFormat

import MienCore

/// Depth map as points and normals in camera coordinates, for registering another map to it.
struct SurfaceMap {
  let width: Int
  let height: Int
  let camera: PinholeIntrinsics
  let pose: CameraPose
  /// Points in meters; those without measurement or normal have z = 0.
  private var points: ContiguousArray<SIMD3<Float>>
  private var normals: ContiguousArray<SIMD3<Float>>

  /// - Parameter largestStep: neighbors whose distance differs by more than this fraction are not used for normals.
  init(_ map: DepthMap, at pose: CameraPose, largestStep: Float) {
    (width, height, camera, self.pose) = (map.width, map.height, map.intrinsics, pose)
    points = ContiguousArray(repeating: .zero, count: width * height)
    normals = points
    for y in 1..<max(height - 1, 1) {
      for x in 1..<max(width - 1, 1) {
        guard let here = map.point(x: x, y: y), let left = map.point(x: x - 1, y: y),
          let right = map.point(x: x + 1, y: y), let above = map.point(x: x, y: y - 1),
          let below = map.point(x: x, y: y + 1),
          max(abs(left.z - right.z), abs(above.z - below.z)) < -2 * here.z * largestStep
        else { continue }
        let normal = cross(right - left, above - below)
        let length = dot(normal, normal).squareRoot()
        guard length > 0 else { continue }
        points[y * width + x] = here
        normals[y * width + x] = normal / length
      }
    }
  }

  /// Registers another camera's points to this map by point-to-plane ICP with projective data association (Blais and
  /// Levine, 1995).
  ///
  /// - Returns: nil if too few points have a correspondence.
  func place(_ sample: PointSample, from start: CameraPose, settings: TrackingSettings) -> RegistrationResult? {
    var pose = start
    var before: Float?
    var gate = settings.gate
    for iteration in 0...settings.iterations {
      var (equations, squares) = equations(sample, at: pose, gate: gate, noise: settings.pointNoise)
      let pivot = pose.position
      let overlap = Float(equations.count) / Float(max(sample.points.count, 1))
      guard overlap >= settings.leastOverlap, equations.count >= 20 else { return nil }
      let residual = (squares / Float(equations.count)).squareRoot()
      if before == nil { before = residual }
      if iteration == settings.iterations {
        return RegistrationResult(pose: pose, residual: residual, residualBefore: before ?? residual, overlap: overlap)
      }
      for unknown in 0..<6 { equations.hold(unknown, to: 0, stiffness: 1e-4 * Double(equations.count)) }
      guard let (turn, shift) = equations.solved(),
        let moved = RigidMotion(turn: turn, shift: shift, about: pivot).moved(pose)
      else { return nil }
      pose = moved
      gate = max(gate * 0.8, settings.gate / 3)
    }
    return nil
  }

  /// Returns the information matrix of the pose of a camera registered to this map; it is singular in directions in
  /// which the camera can slide. The information of two single maps counts a third of that of a fused surface.
  func information(_ sample: PointSample, at pose: CameraPose, settings: TrackingSettings) -> PoseInformationMatrix {
    var (equations, _) = equations(sample, at: pose, gate: settings.gate / 3, noise: settings.pointNoise)
    let noise = Double(settings.pointNoise * settings.pointNoise)
    let independent = min(Double(settings.independentPoints), Double(equations.count))
    equations.scale(by: 0.3 * independent / Double(max(equations.count, 1)) / noise)
    return PoseInformationMatrix(rows: equations.symmetric)
  }

  /// Returns the normal equations of the points with a correspondence within `gate`, and the sum of their squared
  /// distances to this map.
  private func equations(
    _ sample: PointSample, at pose: CameraPose, gate: Float, noise: Float
  ) -> (equations: PoseNormalEquations, squares: Float) {
    var equations = PoseNormalEquations()
    var squares: Float = 0
    let pivot = pose.position
    for point in sample.points {
      let world = pose.world(point)
      let seen = self.pose.camera(world)
      guard let pixel = camera.pixel(of: seen), pixel.x >= 0, pixel.y >= 0, pixel.x < Float(width) - 0.5,
        pixel.y < Float(height) - 0.5
      else { continue }
      let index = Int(pixel.y + 0.5) * width + Int(pixel.x + 0.5)
      let partner = points[index]
      let offset = seen - partner
      guard partner.z < 0, dot(offset, offset) < gate * gate else { continue }
      let normal = normals[index]
      let distance = dot(normal, offset)
      let turned = self.pose.right * normal.x + self.pose.up * normal.y + self.pose.back * normal.z
      let weight = abs(distance) <= noise ? 1 : noise / abs(distance)
      equations.add(arm: world - pivot, normal: turned, residual: distance, weight: weight)
      squares += distance * distance
    }
    return (equations, squares)
  }
}
