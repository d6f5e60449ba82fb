public import MienCore

/// Where a check with several attempts stands.
public struct AttemptProgress: Hashable, Sendable {
  /// From 1.
  public let number: Int
  public let count: Int
  /// Why the one before did not pass; nil in the first.
  public let lastReason: String?
}

/// What the server says after each frame: what is going on and what the person should do now. Codes, no sentences.
public struct CheckStep: Hashable, Sendable {
  /// `positioning`, `depth`, `instructing`, `tracking`, `passed`, `failed` or `timed-out`.
  public var state: String
  /// `position-face`, `hold-still`, `get-ready`, `turn`, `come-back`, `perform` or `done`.
  public var instruction: String
  /// The side to turn to, from `instructing` on.
  public var side: Side?
  /// How much of the challenge is done, 0…1.
  public var progress: Float
  public var hints: [FramingHint]
  /// A stable reason code when `failed` or `timed-out`.
  public var reason: String?
  /// What is left of the present time limit.
  public var remaining: Interval
  /// The face's outline as fractions of the unmirrored picture, or empty.
  public var outline: [SIMD2<Float>]
  /// The present task, for checks that were created with tasks.
  public var task: TaskStep?
  /// Which attempt of how many it is, for checks with more than one.
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

  /// True when no further frame will change anything.
  public var isOver: Bool { state == "passed" || state == "failed" || state == "timed-out" }
}

extension CheckStep: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckStep(\(state))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
