internal import MienCore

/// The even steps of a film of frames that came when they came: each step shows the latest frame that was there.
///
/// Times count from the process's start, and a reel outlives the process: what a server recorded that was started again goes on
/// where the frame before it was.
struct ConstantFrameRateResampler {
  /// How many steps a second has.
  static let perSecond = 15.0
  /// A film is at most this long; what comes later is left out.
  private static let maximumSeconds = 180.0
  private static let most = Int(maximumSeconds * perSecond) + 1

  private let start: MonotonicInstant
  /// When the latest frame came, in times that never step back.
  private var latest: Int64
  /// What makes them so.
  private var shift: Int64 = 0
  private var step = 0

  /// - Parameter start: when the first frame came.
  init(from start: MonotonicInstant) {
    self.start = start
    latest = start.nanoseconds
  }

  /// True when nothing more is shown.
  var isFull: Bool { step == Self.most }

  /// How many steps are over when a frame comes: so often the one before it is shown.
  mutating func steps(until time: MonotonicInstant) -> Int {
    if time.nanoseconds &+ shift < latest { shift = latest &- time.nanoseconds }
    latest = time.nanoseconds &+ shift
    let before = step
    while !isFull, current < latest { step += 1 }
    return step - before
  }

  /// How often the last frame is shown.
  mutating func lastSteps() -> Int {
    guard !isFull, current <= latest else { return 0 }
    step += 1
    return 1
  }

  /// When the step is; it stays at the end of time.
  private var current: Int64 {
    (start + Interval(nanoseconds: Int64(Double(step) / Self.perSecond * 1e9))).nanoseconds
  }
}
