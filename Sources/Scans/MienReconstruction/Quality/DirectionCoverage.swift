internal import MienScanFormat

/// Directions that the cameras of a room's scan faced: the part of the horizon that was in view.
struct DirectionCoverage {
  /// Covered part of the horizon, in degrees, in steps of ``step``.
  let degrees: Double

  /// Angle between counted directions, in degrees.
  private static let step = 10
  /// Half of the horizontal angle that a camera is assumed to see, in degrees: that of a phone held upright.
  private static let halfView = 20

  /// - Returns: nil with fewer than five poses, or if all cameras face straight up or down.
  init?(_ poses: [CameraPose], world: WorldAlignment) {
    guard poses.count >= 5, let first = poses.first else { return nil }
    let up = world.up(at: first)
    var ahead: SIMD3<Float>?
    var isSeen = [Bool](repeating: false, count: 360 / Self.step)
    for pose in poses {
      // The ceiling and the floor have no direction.
      guard abs(dot(pose.back, up)) < 0.9, let level = ViewCoverage.unit(up * dot(pose.back, up) - pose.back) else {
        continue
      }
      let start = ahead ?? level
      ahead = start
      let angle = SmallMath.arcCosine(dot(level, start))
      let turn = dot(level, cross(up, start)) < 0 ? -angle : angle
      let middle = Int((turn / Float(Self.step)).rounded())
      for offset in -Self.halfView / Self.step...Self.halfView / Self.step {
        isSeen[(middle + offset + 2 * isSeen.count) % isSeen.count] = true
      }
    }
    guard ahead != nil else { return nil }
    degrees = Double(isSeen.count { $0 } * Self.step)
  }
}
