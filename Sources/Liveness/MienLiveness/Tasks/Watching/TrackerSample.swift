internal import MienCore

/// Evaluated sample as input of the trackers.
struct TrackerSample: Sendable {
  let at: MonotonicInstant
  /// Yaw, pitch, and roll in degrees from the rest pose; NaN if the source does not measure the angle and the task does not need it.
  let pose: SIMD3<Float>
  /// Closure of the eyes and opening of the jaw, 0…1; NaN if not measured.
  let eyes: SIMD2<Float>
  let jaw: Float
}

/// Result of a tracker for one sample.
enum TrackerUpdate: Hashable, Sendable {
  case going
  case done
  case failed(TaskFailure)
}
