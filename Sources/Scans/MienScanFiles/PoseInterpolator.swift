internal import Foundation
internal import MienDepth

/// Poses by their times, for recordings that do not say which belongs to which map.
struct PoseInterpolator {
  private let sorted: [(seconds: Double, pose: CameraPose)]

  /// How far apart two poses may be for one between them: ten a second, and one of them missing.
  private static let longestGap = 0.25

  init(_ poses: [(seconds: Double, pose: CameraPose)]) { sorted = poses.sorted { $0.seconds < $1.seconds } }

  var isEmpty: Bool { sorted.isEmpty }

  /// The pose at a time, between the two beside it where these are near each other; else the nearest one that is at most `most` seconds
  /// away.
  func pose(at seconds: Double, within most: Double) -> CameraPose? {
    // A search by halves.
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
  /// A pose on the way to another: places on a line, rotations at an even speed (spherical linear interpolation, Shoemake 1985).
  ///
  /// - Parameter part: 0 here, 1 there.
  /// - Returns: nil for a part that is no number; between two rotations is one, and between two places too.
  func towards(_ other: CameraPose, by part: Double) -> CameraPose? {
    let from = quaternion
    var to = other.quaternion
    var cosine = (from * to).sum()
    // Of the two ways around the shorter.
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
