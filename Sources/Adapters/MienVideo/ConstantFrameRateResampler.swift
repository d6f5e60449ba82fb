internal import MienCore

/// Resamples frames with irregular timestamps to a constant frame rate: each step shows the latest available frame.
///
/// Timestamps count from the start of the process, and a frame log outlives the process: after a restart, the recording continues where
/// the previous frame was.
struct ConstantFrameRateResampler {
  /// Steps per second.
  static let perSecond = 15.0
  /// Maximum duration of a clip in seconds; later frames are ignored.
  private static let maximumSeconds = 180.0
  private static let most = Int(maximumSeconds * perSecond) + 1

  private let start: MonotonicInstant
  /// Timestamp of the latest frame, adjusted so that timestamps never decrease.
  private var latest: Int64
  /// Offset added to timestamps for this purpose.
  private var shift: Int64 = 0
  private var step = 0

  /// Creates a resampler.
  ///
  /// - Parameter start: Timestamp of the first frame.
  init(from start: MonotonicInstant) {
    self.start = start
    latest = start.nanoseconds
  }

  /// `true` once the maximum duration is reached.
  var isFull: Bool { step == Self.most }

  /// Returns the number of steps that end when a frame arrives, during which the previous frame is shown.
  mutating func steps(until time: MonotonicInstant) -> Int {
    if time.nanoseconds &+ shift < latest { shift = latest &- time.nanoseconds }
    latest = time.nanoseconds &+ shift
    let before = step
    while !isFull, current < latest { step += 1 }
    return step - before
  }

  /// Returns the number of steps that show the last frame.
  mutating func lastSteps() -> Int {
    guard !isFull, current <= latest else { return 0 }
    step += 1
    return 1
  }

  /// Timestamp of the current step; saturates at the maximum.
  private var current: Int64 {
    (start + Interval(nanoseconds: Int64(Double(step) / Self.perSecond * 1e9))).nanoseconds
  }
}
