internal import MienCore

/// One judged sample as the trackers see it.
struct TrackerSample: Sendable {
  let at: MonotonicInstant
  /// Yaw, pitch and roll in degrees away from the rest pose; NaN where the source measures none and the task needs none.
  let pose: SIMD3<Float>
  /// How closed the eyes are and how open the jaw is, 0…1; NaN likewise.
  let eyes: SIMD2<Float>
  let jaw: Float
}

/// What a tracker makes of a look.
enum TrackerUpdate: Hashable, Sendable {
  case going
  case done
  case failed(TaskFailure)
}
