internal import MienScanFormat

/// Viewing directions of a scan: directions from the center of the subject to the cameras.
///
/// The front is the direction of the first camera. Left and right are the subject's own.
struct ViewCoverage {
  /// Largest angle from the front to the subject's left and right, in degrees.
  private(set) var left: Float = 0
  private(set) var right: Float = 0
  /// Highest view above the horizon, in degrees.
  private(set) var top: Float = -90

  /// - Parameter views: camera poses, and the distance of the subject in front of each, in meters.
  /// - Returns: nil with fewer than five views, or if all cameras are at the center or directly above or below it.
  init?(_ views: [(pose: CameraPose, distance: Float)], world: WorldAlignment) {
    guard views.count >= 5, let first = views.first else { return nil }
    let center = SubjectRegion.center(of: views)
    let up = world.up(at: first.pose)
    var front: SIMD3<Float>?
    for view in views {
      guard let direction = Self.unit(view.pose.position - center) else { continue }
      top = max(top, 90 - SmallMath.arcCosine(dot(direction, up)))
      // Views from directly above have no side.
      guard let level = Self.unit(direction - up * dot(direction, up)), abs(dot(direction, up)) < 0.97 else { continue }
      guard let ahead = front else {
        front = level
        continue
      }
      let angle = SmallMath.arcCosine(dot(ahead, level))
      if dot(level, cross(up, ahead)) > 0 { left = max(left, angle) } else { right = max(right, angle) }
    }
    guard front != nil else { return nil }
  }

  static func unit(_ vector: SIMD3<Float>) -> SIMD3<Float>? {
    let length = dot(vector, vector).squareRoot()
    return length > 1e-4 ? vector / length : nil
  }
}

extension WorldAlignment {
  /// Upward direction, which is that of the first camera in a world that is not leveled.
  func up(at first: CameraPose) -> SIMD3<Float> {
    switch self {
    case .yUp: [0, 1, 0]
    case .zUp: [0, 0, 1]
    case .unleveled: first.up
    }
  }
}

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
