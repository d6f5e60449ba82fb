public import MienCore

/// State after each frame; clients display it and make no decisions of their own.
public struct StepResponse: Codable, Hashable, Sendable {
  /// `positioning`, `depth`, `instructing`, `tracking`, `passed`, `failed` or `timed-out`.
  public var state: String
  /// `position-face`, `hold-still`, `get-ready`, `turn`, `come-back`, `perform` or `done`.
  public var instruction: String
  /// `subject-left` or `subject-right`, from `instructing` on.
  public var side: String?
  /// 0…1.
  public var progress: Float
  /// Codes of ``FramingHint``.
  public var hints: [String]
  /// Stable reason code if failed or timed out.
  public var reason: String?
  public var remainingMilliseconds: Int
  /// 36 points `[x, y]` around the face, fractions of the unmirrored image; empty if no face is detected.
  public var outline: [[Float]]
  /// Current task, for checks that were created with tasks.
  public var task: TaskResponse?
  /// Current attempt, for checks with more than one.
  public var attempt: AttemptResponse?

  /// Position in the sequence of attempts.
  public struct AttemptResponse: Codable, Hashable, Sendable {
    /// Attempt number, starting at 1.
    public var number: Int
    public var count: Int
    /// Reason why the previous attempt did not pass; omitted in the first.
    public var lastReason: String?

    public enum CodingKeys: String, CodingKey {
      case number, count
      case lastReason = "last_reason"
    }

    public init(number: Int, count: Int, lastReason: String?) {
      self.number = number
      self.count = count
      self.lastReason = lastReason
    }
  }

  public enum CodingKeys: String, CodingKey {
    case state, instruction, side, progress, hints, reason, outline, task, attempt
    case remainingMilliseconds = "remaining_ms"
  }

  public init(
    state: String, instruction: String, side: Side?, progress: Float, hints: [FramingHint], reason: String?,
    remaining: Interval, outline: [SIMD2<Float>], task: TaskResponse? = nil, attempt: AttemptResponse? = nil
  ) {
    self.state = state
    self.instruction = instruction
    self.side = side?.rawValue
    self.progress = progress
    self.hints = hints.map(\.rawValue)
    self.reason = reason
    remainingMilliseconds = max(0, Int(remaining.nanoseconds / 1_000_000))
    // Three decimals correspond to a pixel on a large screen; more would only enlarge the response.
    self.outline = outline.map { [($0.x * 1000).rounded() / 1000, ($0.y * 1000).rounded() / 1000] }
    self.task = task
    self.attempt = attempt
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(state, forKey: .state)
    try box.encode(instruction, forKey: .instruction)
    try box.encode(side, forKey: .side)
    try box.encode(progress, forKey: .progress)
    try box.encode(hints, forKey: .hints)
    try box.encode(reason, forKey: .reason)
    try box.encode(remainingMilliseconds, forKey: .remainingMilliseconds)
    try box.encode(outline, forKey: .outline)
    try box.encodeIfPresent(task, forKey: .task)
    try box.encodeIfPresent(attempt, forKey: .attempt)
  }
}
