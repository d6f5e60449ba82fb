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

  /// A frame to send.
  struct OutgoingFrame {
    var number: Int64
    var frame: EncodedFrame
    var capturedAt: Interval
  }

  /// Maximum number of frames that wait until another one may be sent, so that a late response costs no frame. The rate
  /// follows the responses, so that no frame waits for long.
  private static let mostWaiting = 4

  /// Frames that are under way at most, whatever the server states.
  private static let longestWindow = 8
  /// Time by which a frame may be earlier than it is due.
  private static let early = Interval.milliseconds(10)

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
  private var waiting: [(frame: EncodedFrame, capturedAt: Interval)] = []
  private var next: Int64 = 0
  private var newest: Int64 = -1
  /// Number of the last frame that was under way when the connection was lost: they are lost together.
  private var lostUntil: Int64 = -1
  /// Capture time at which the next frame is due, in nanoseconds.
  private var due: Int64?

  init(_ retryPolicy: RetryPolicy) {
    self.retryPolicy = retryPolicy
    gate = StaleFrameFilter(oldest: retryPolicy.oldestFrame)
    backOff = ExponentialBackoff(retryPolicy)
  }

  /// Desired size of the next frame, and time between two frames.
  var plan: UploadRate.Plan { rate.plan(window: window) }

  /// `true` if another frame is to be requested from the camera, once ``nextToSend()`` has returned `nil`.
  var wantsFrame: Bool {
    // With one frame at a time, a frame is captured only when it can be sent, so that it is current.
    !isAtEnd && !isFetching && (underWay < window || window > 1 && waiting.count < Self.mostWaiting)
  }

  /// `true` if the camera has ended and every frame got its response.
  var isDone: Bool { isAtEnd && underWay == 0 && waiting.isEmpty }

  /// Accepts a frame of the camera, which waits until ``nextToSend()`` returns it; a stale or a superfluous one is dropped.
  mutating func admit(_ frame: EncodedFrame, at now: MonotonicInstant) {
    guard let capturedAt = gate.admit(frame.at, at: now) else { return }
    let time = capturedAt.nanoseconds
    // With one frame at a time, the responses set the rate.
    if window > 1, let due, time < due - Self.early.nanoseconds { return }
    // The gap holds on average: a camera of 30 frames/s has frames every 33 ms only. A frame that was taken late
    // shortens the next gap by half at most.
    let gap = plan.gap.nanoseconds
    due = max(due ?? time, time - gap / 2) + gap
    waiting.append((frame, capturedAt))
  }

  /// Returns the next frame to send; `nil` if none waits or as many as the server accepts are under way.
  mutating func nextToSend() -> OutgoingFrame? {
    guard underWay < window, !waiting.isEmpty else { return nil }
    let (frame, capturedAt) = waiting.removeFirst()
    underWay += 1
    defer { next += 1 }
    rate.sent(frame.bytes.count)
    return OutgoingFrame(number: next, frame: frame, capturedAt: capturedAt)
  }

  /// Records a response; returns `false` if a later frame's response arrived before.
  mutating func answered(
    _ number: Int64, bytes: Int, sentAt: MonotonicInstant, at now: MonotonicInstant, window stated: Int?
  ) -> Bool {
    underWay -= 1
    window = max(1, min(Self.longestWindow, stated ?? 1))
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
    let reaction = reaction(to: error, of: number)
    if reaction != .proceed { waiting = [] }  // They would be old when the pause ends.
    return reaction
  }

  private mutating func reaction(to error: ClientError, of number: Int64) -> Reaction {
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
