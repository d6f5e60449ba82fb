import MienCore

/// Rate of a session's frames, over all intervals in which the camera was not interrupted.
struct FrameRate: Sendable {
  /// Longest interval that counts; longer ones are interruptions.
  private static let longest = 1.0
  /// Number of intervals from which the rate is meaningful.
  private static let minimumIntervals = 8

  private var last: MonotonicInstant?
  private var intervals = 0
  private var seconds = 0.0

  mutating func process(_ at: MonotonicInstant) {
    if let last {
      let interval = at.since(last).inSeconds
      if interval >= 0, interval <= Self.longest {
        intervals += 1
        seconds += interval
      }
    }
    last = at
  }

  /// Number of frames that the rate rests on.
  var frames: Int { intervals + 1 }

  /// Returns `true` if the session has fewer frames per second than `rate`.
  func isBelow(_ rate: Double) -> Bool {
    intervals >= Self.minimumIntervals && Double(intervals) < rate * seconds
  }
}

extension FrameRate: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&last)
    coder.pass(&intervals)
    coder.pass(&seconds)
  }
}
