internal import MienDepth

/// Poses by their times, for recordings that do not say which belongs to which map.
struct TimedPoses {
  private let sorted: [(seconds: Double, pose: CameraPose)]

  init(_ poses: [(seconds: Double, pose: CameraPose)]) { sorted = poses.sorted { $0.seconds < $1.seconds } }

  /// The pose nearest in time; nil when it is more than `most` seconds away.
  func pose(at seconds: Double, within most: Double) -> CameraPose? {
    // A search by halves.
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].seconds < seconds { low = middle + 1 } else { high = middle }
    }
    let nearest = [low - 1, low].filter(sorted.indices.contains).min {
      abs(sorted[$0].seconds - seconds) < abs(sorted[$1].seconds - seconds)
    }
    guard let nearest, abs(sorted[nearest].seconds - seconds) <= most else { return nil }
    return sorted[nearest].pose
  }
}
