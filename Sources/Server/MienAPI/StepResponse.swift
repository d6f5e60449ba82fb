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
  /// Codes of `FramingHint`.
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

/// Current task in a ``StepResponse``, for a client to display and announce.
public struct TaskResponse: Codable, Hashable, Sendable {
  /// Current prompt of the task; keys that do not apply to the task are omitted.
  public struct Prompt: Codable, Hashable, Sendable {
    /// Direction of the circle: `any`, `subject-left-first` or `subject-right-first`, each from the top.
    public var direction: String?
    /// Completed sectors of the circle, from the top toward the subject's left and around.
    public var sectors: [Bool]?
    /// Head direction: `[across, up]`, −1…1 around the rest pose; across + is the subject's left.
    public var head: [Float]?
    /// Target head direction, in the same coordinates.
    public var target: [Float]?
    /// Current question, as worded by the integrator.
    public var question: String?
    /// Error message of the integrator after a wrong answer.
    public var error: String?
    /// All requested motions in order, to be displayed together; `done` of them are completed.
    public var sequence: [String]?
    /// Motion that is requested now: `nod`, `blink` or `open-mouth`.
    public var next: String?
    /// Number of completed items out of `count`.
    public var done: Int?
    /// Index of the question out of `count`, starting at 0.
    public var index: Int?
    public var count: Int?
    /// Colors of the light task.
    public var light: Light?

    public init() {}
  }

  /// Colors that the screen shows during the light task: `#rrggbb` each.
  public struct Light: Codable, Hashable, Sendable {
    /// Color at the time of the frame that the step responds to.
    public var color: String
    /// The next two colors, as far as there are any.
    public var next: [String]
    /// Time from the capture of that frame to the next color; omitted before the sequence begins and after its last
    /// change.
    public var untilMilliseconds: Int?
    /// Time for which each color is shown.
    public var dwellMilliseconds: Int
    /// `true` if `POST /v1/checks/{id}/decline` replaces the task with another.
    public var canDecline: Bool

    public enum CodingKeys: String, CodingKey {
      case color, next
      case untilMilliseconds = "until_ms"
      case dwellMilliseconds = "dwell_ms"
      case canDecline = "can_decline"
    }

    public init(color: String, next: [String], until: Interval?, dwell: Interval, canDecline: Bool) {
      self.color = color
      self.next = next
      untilMilliseconds = until.map { max(0, Int($0.nanoseconds / 1_000_000)) }
      dwellMilliseconds = Int(dwell.nanoseconds / 1_000_000)
      self.canDecline = canDecline
    }
  }

  public var kind: String
  /// Index of the task out of `count`, starting at 0.
  public var index: Int
  public var count: Int
  public var prompt: Prompt

  public init(kind: String, index: Int, count: Int, prompt: Prompt) {
    self.kind = kind
    self.index = index
    self.count = count
    self.prompt = prompt
  }
}
