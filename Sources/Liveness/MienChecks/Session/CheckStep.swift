public import MienCore
internal import MienLiveness
public import MienPlatform

/// Progress of a check with several attempts.
public struct AttemptProgress: Hashable, Sendable {
  /// Number of the current attempt, starting at 1.
  public let number: Int
  public let count: Int
  /// Reason code of the previous attempt's failure; `nil` during the first.
  public let lastReason: String?
}

/// Response to each frame: the state of the check and what the person should do now. Contains codes, not sentences.
public struct CheckStep: Hashable, Sendable {
  /// `positioning`, `depth`, `instructing`, `tracking`, `passed`, `failed` or `timed-out`.
  public var state: String
  /// `position-face`, `hold-still`, `get-ready`, `turn`, `come-back`, `perform` or `done`.
  public var instruction: String
  /// Side to turn to; set from `instructing` on.
  public var side: Side?
  /// Completed fraction of the challenge, 0…1.
  public var progress: Float
  public var hints: [FramingHint]
  /// Stable reason code if the state is `failed` or `timed-out`.
  public var reason: String?
  /// Time remaining before the current time limit.
  public var remaining: Interval
  /// Outline of the face in fractions of the unmirrored image; may be empty.
  public var outline: [SIMD2<Float>]
  /// Current task, for checks that were created with tasks.
  public var task: TaskStep?
  /// Current attempt and number of attempts, for checks that may have more than one or began again.
  public var attempt: AttemptProgress?

  public init(
    state: String, instruction: String, side: Side?, progress: Float, hints: [FramingHint], reason: String?,
    remaining: Interval, outline: [SIMD2<Float>], task: TaskStep? = nil, attempt: AttemptProgress? = nil
  ) {
    self.state = state
    self.instruction = instruction
    self.side = side
    self.progress = progress
    self.hints = hints
    self.reason = reason
    self.remaining = remaining
    self.outline = outline
    self.task = task
    self.attempt = attempt
  }

  /// `true` if further frames change nothing.
  public var isOver: Bool { state == "passed" || state == "failed" || state == "timed-out" }
}

extension CheckStep: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckStep(\(state))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CheckStateMachine.State {
  /// Stable code of the state, as used in the API.
  var code: String {
    switch self {
    case .positioning: "positioning"
    case .depth: "depth"
    case .instructing: "instructing"
    case .tracking: "tracking"
    case .passed: CheckResult.Outcome.passed.rawValue
    case .failed: CheckResult.Outcome.failed.rawValue
    case .timedOut: CheckResult.Outcome.timedOut.rawValue
    }
  }

  /// Stable code of the reason; `nil` in states without one.
  var reason: String? {
    switch self {
    case .failed(let failure): failure.code
    case .timedOut(let failure): failure.rawValue
    case .positioning, .depth, .instructing, .tracking, .passed: nil
    }
  }
}

extension ServiceError {
  /// The final step, for ``Code/checkEnded``.
  public var step: CheckStep? { detail as? CheckStep }
}

/// An attempt of a check that did not pass and was followed by another.
public struct FailedAttempt: Codable, Hashable, Sendable {
  /// `failed`, `timed-out`, or `interrupted` for one that was not counted.
  public let outcome: String
  /// A stable reason code.
  public let reason: String
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let ended: Int64

  /// `true` if the attempt was not counted, since the face was lost.
  var isInterruption: Bool { outcome == Self.interrupted }

  static let interrupted = "interrupted"

  public init(outcome: CheckResult.Outcome, reason: String, ended: UnixTime) {
    self.init(outcome: outcome.rawValue, reason: reason, ended: ended)
  }

  init(outcome: String, reason: String, ended: UnixTime) {
    self.outcome = outcome
    self.reason = reason
    self.ended = ended.milliseconds
  }
}
