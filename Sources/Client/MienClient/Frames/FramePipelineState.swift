internal import MienCore

/// Decisions of a frame pipeline: which frames to send, and what follows from an error.
struct FramePipelineState {
  enum Reaction: Hashable {
    enum Trouble: Hashable { case unreachable, busy }

    case proceed
    case wait(Interval)
    case tell(Trouble, Interval)
    case giveUp
  }

  /// `true` while a frame is requested from the camera.
  var isFetching = false
  /// `true` once the camera has ended.
  var isAtEnd = false
  private(set) var rate = UploadRate()
  private(set) var underWay = 0
  private let retryPolicy: RetryPolicy
  private var gate: StaleFrameFilter
  private var backOff: ExponentialBackoff
  private var window = 1
  private var refusals = 0
  private var next: Int64 = 0
  private var newest: Int64 = -1
  /// Number of the last frame that was under way when the connection was lost: they are lost together.
  private var lostUntil: Int64 = -1
  private var lastCapture: Interval?

  init(_ retryPolicy: RetryPolicy) {
    self.retryPolicy = retryPolicy
    gate = StaleFrameFilter(oldest: retryPolicy.oldestFrame)
    backOff = ExponentialBackoff(retryPolicy)
  }

  /// `true` if another frame is to be requested from the camera.
  var wantsFrame: Bool { !isAtEnd && !isFetching && underWay < window }

  /// Returns the number and the capture time of a frame to send, or `nil` if the frame must be dropped.
  mutating func admit(_ frame: EncodedFrame, at now: MonotonicInstant) -> (number: Int64, capturedAt: Interval)? {
    guard let capturedAt = gate.admit(frame.at, at: now) else { return nil }
    // With one frame at a time, the responses set the rate.
    if window > 1, let lastCapture, capturedAt.nanoseconds - lastCapture.nanoseconds < rate.plan.gap.nanoseconds {
      return nil
    }
    lastCapture = capturedAt
    underWay += 1
    defer { next += 1 }
    rate.sent(frame.bytes.count)
    return (next, capturedAt)
  }

  /// Records a response; returns `false` if a later frame's response arrived before.
  mutating func answered(
    _ number: Int64, bytes: Int, sentAt: MonotonicInstant, at now: MonotonicInstant, window stated: Int?
  ) -> Bool {
    underWay -= 1
    window = max(1, min(6, stated ?? 1))
    backOff.reset()
    refusals = 0
    rate.acknowledged(bytes, after: now.since(sentAt), at: now)
    guard number > newest else { return false }
    newest = number
    return true
  }

  /// Records an error and returns what to do.
  mutating func failed(_ number: Int64, _ error: ClientError) -> Reaction {
    underWay -= 1
    switch error.code {
    case .unreachable, .unreadable:
      guard number > lostUntil else { return .proceed }
      lostUntil = next - 1
      window = 1
      return backOff.next().map { .tell(.unreachable, $0) } ?? .giveUp
    case .busy:
      // The server sets the delay; the session's own lifetime limits the total.
      return .tell(.busy, error.retryAfter ?? .seconds(1))
    default:
      refusals += 1
      guard error.code.isPassing, refusals <= retryPolicy.refusals else { return .giveUp }
      if error.code == .tooManyFrames {
        window = 1
        return .wait(error.retryAfter ?? .seconds(1))
      }
      return window > 1 && refusals == 1 ? .proceed : .wait(.milliseconds(100))
    }
  }
}
