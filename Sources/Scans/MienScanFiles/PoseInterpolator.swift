internal import Foundation
internal import MienReconstruction
internal import MienScanFormat

/// Poses by time, for recordings that do not assign poses to maps; nil where the device had lost its position.
struct PoseInterpolator {
  private let sorted: [(seconds: Double, pose: CameraPose?)]

  /// Maximum time between two poses for interpolation: ten poses per second, with one of them missing.
  private static let longestGap = 0.25

  init(_ poses: [(seconds: Double, pose: CameraPose?)]) { sorted = poses.sorted { $0.seconds < $1.seconds } }

  /// Number of known poses.
  var count: Int { sorted.count { $0.pose != nil } }

  /// First and last time; nil without poses.
  var span: ClosedRange<Double>? {
    sorted.first.flatMap { first in sorted.last.map { first.seconds...$0.seconds } }
  }

  /// Returns the messages about maps at the given times that have no pose.
  ///
  /// - Parameters:
  ///   - name: file with the poses.
  ///   - most: as in ``pose(at:within:)``.
  func remarks(at times: [Double], within most: Double, name: String) -> [ScanDiagnostic] {
    guard count > 0, let span, let first = times.min(), let last = times.max() else {
      return [ScanDiagnostic(.noteNoPoses)]
    }
    let unposed = times.count { pose(at: $0, within: most) == nil }
    if unposed == times.count {
      return [
        ScanDiagnostic(
          .noteTimesApart,
          [
            "name": name, "poses": "\(count)", "first": "\(span.lowerBound)", "last": "\(span.upperBound)",
            "start": "\(first)", "end": "\(last)",
          ])
      ]
    }
    if unposed == 0 { return [] }
    let isLost = sorted.contains { $0.pose == nil }
    return isLost
      ? DepthImageReader.remarks(unposed: unposed)
      : [ScanDiagnostic(.noteMapsWithoutPose, ["count": "\(unposed)"])]
  }

  /// Returns the pose at a time, interpolated between the two adjacent ones if they are close enough; otherwise the
  /// nearest one that is at most `most` seconds away; nil where the device had lost its position.
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
      if gap > 0, gap <= Self.longestGap, after.seconds > seconds, let from = before.pose, let to = after.pose {
        return from.towards(to, by: (seconds - before.seconds) / gap)
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
