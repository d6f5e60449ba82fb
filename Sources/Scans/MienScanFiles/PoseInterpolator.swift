internal import Foundation
internal import MienScanFormat

/// Poses by time, for recordings that do not assign poses to maps.
struct PoseInterpolator {
  private let sorted: [(seconds: Double, pose: CameraPose)]

  /// Maximum time between two poses for interpolation: ten poses per second, with one of them missing.
  private static let longestGap = 0.25

  init(_ poses: [(seconds: Double, pose: CameraPose)]) { sorted = poses.sorted { $0.seconds < $1.seconds } }

  var isEmpty: Bool { sorted.isEmpty }

  /// Returns the pose at a time, interpolated between the two adjacent ones if they are close enough; otherwise the
  /// nearest one that is at most `most` seconds away.
  func pose(at seconds: Double, within most: Double) -> CameraPose? {
    // Binary search.
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].seconds < seconds { low = middle + 1 } else { high = middle }
    }
    if low > 0, low < sorted.count {
      let (before, after) = (sorted[low - 1], sorted[low])
      let gap = after.seconds - before.seconds
      if gap > 0, gap <= Self.longestGap {
        return before.pose.towards(after.pose, by: (seconds - before.seconds) / gap)
      }
    }
    let nearest = [low - 1, low].filter(sorted.indices.contains).min {
      abs(sorted[$0].seconds - seconds) < abs(sorted[$1].seconds - seconds)
    }
    guard let nearest, abs(sorted[nearest].seconds - seconds) <= most else { return nil }
    return sorted[nearest].pose
  }
}

extension CameraPose {
  /// Interpolates between two poses: positions linearly, rotations by spherical linear interpolation (Shoemake 1985).
  ///
  /// - Parameter part: 0 for this pose, 1 for the other one.
  /// - Returns: nil only if `part` is not a number.
  func towards(_ other: CameraPose, by part: Double) -> CameraPose? {
    let from = quaternion
    var to = other.quaternion
    var cosine = (from * to).sum()
    // Selects the shorter arc.
    if cosine < 0 { (to, cosine) = (-to, -cosine) }
    let angle = acos(min(cosine, 1))
    let (a, b) =
      angle < 1e-6 ? (1 - part, part) : (sin((1 - part) * angle) / sin(angle), sin(part * angle) / sin(angle))
    let mixed = from * a + to * b
    let unit = mixed / (mixed * mixed).sum().squareRoot()
    let place = SIMD3<Double>(position) * (1 - part) + SIMD3<Double>(other.position) * part
    return try? CameraPose(quaternion: SIMD4<Float>(unit), position: SIMD3<Float>(place))
  }
}
