public import MienAPI

/// Task for the user to perform.
public enum LivenessTask: Hashable, Sendable {
  case completeTheCircle(CompleteTheCircleTask)
  case yesOrNo(YesOrNoTask)
  case motions(MotionsTaskClass)
  case blink(BlinkTaskClass)
  /// Specific to Mien: turn the head to one side and back.
  case headTurn(difficulty: TaskDifficulty = .medium)
  /// Specific to Mien: follow a moving target on a path chosen by the server. Recommended against replay attacks.
  case headPath(difficulty: TaskDifficulty = .medium)
  /// Specific to Mien: hold still while the screen shows soft colors chosen by the server. Show `task.prompt.light` of each
  /// step on the whole screen, and offer to decline it.
  case light(difficulty: TaskDifficulty = .medium)
}

/// Task with a timeout.
public struct TaskProperties: Hashable, Sendable {
  public var task: LivenessTask
  /// Timeout in milliseconds; overrides the task's own.
  public var timeout: Double?

  public init(task: LivenessTask, timeout: Double? = nil) {
    self.task = task
    self.timeout = timeout
  }
}

/// Task: blink a number of times.
public struct BlinkTaskClass: Hashable, Sendable {
  public var difficulty: TaskDifficulty
  /// Timeout of the task in milliseconds; `nil` for the server's default.
  public var timeout: Double?
  /// Maximum number of blinks.
  public var maxBlinks: Int

  public init(difficulty: TaskDifficulty = .medium, timeout: Double? = nil, maxBlinks: Int = 5) {
    self.difficulty = difficulty
    self.timeout = timeout
    self.maxBlinks = maxBlinks
  }
}

/// Task: move the head in a circle.
public struct CompleteTheCircleTask: Hashable, Sendable {
  public var difficulty: TaskDifficulty
  /// Timeout of the task in milliseconds; `nil` for the server's default.
  public var timeout: Double?

  public init(difficulty: TaskDifficulty = .medium, timeout: Double? = nil) {
    self.difficulty = difficulty
    self.timeout = timeout
  }
}

/// Task: nod, blink and open the mouth, in an order chosen by the server.
public struct MotionsTaskClass: Hashable, Sendable {
  public var difficulty: TaskDifficulty
  /// Timeout of the task in milliseconds; `nil` for the server's default.
  public var timeout: Double?
  /// Maximum number of nods.
  public var maxNods: Int
  /// Maximum number of blinks.
  public var maxBlinks: Int

  public init(
    difficulty: TaskDifficulty = .medium, timeout: Double? = nil, maxNods: Int = 5, maxBlinks: Int = 5
  ) {
    self.difficulty = difficulty
    self.timeout = timeout
    self.maxNods = maxNods
    self.maxBlinks = maxBlinks
  }
}

/// Difficulty of a task; the server defines the thresholds of each level (Documentation/guides/Liveness.md).
public enum TaskDifficulty: String, Hashable, Sendable, CaseIterable {
  case easy, medium, hard
}

extension TaskProperties {
  /// Task in the format of `POST /v1/checks`. Invalid values are sent unchanged, so that the server reports the
  /// problem.
  public var request: TaskRequest {
    var request = task.request
    if let timeout { request.timeout = Self.milliseconds(timeout) }
    return request
  }

  /// Rounds to whole milliseconds. Non-finite values become −1, which the server rejects.
  fileprivate static func milliseconds(_ timeout: Double) -> Int {
    guard timeout.isFinite else { return -1 }
    return Int(min(max(timeout, -1e12), 1e12).rounded())
  }
}

extension LivenessTask {
  fileprivate var request: TaskRequest {
    switch self {
    case .completeTheCircle(let task):
      TaskRequest(kind: "complete-the-circle", difficulty: task.difficulty.rawValue, timeout: time(task.timeout))
    case .yesOrNo(let task):
      TaskRequest(
        kind: "yes-or-no", difficulty: task.difficulty.rawValue, timeout: time(task.timeout),
        questions: task.questions?.map {
          TaskRequest.Question(question: $0.question, answer: $0.answer, errorMessage: $0.errorMessage)
        })
    case .motions(let task):
      TaskRequest(
        kind: "motions", difficulty: task.difficulty.rawValue, timeout: time(task.timeout), maxNods: task.maxNods,
        maxBlinks: task.maxBlinks)
    case .blink(let task):
      TaskRequest(
        kind: "blink", difficulty: task.difficulty.rawValue, timeout: time(task.timeout), maxBlinks: task.maxBlinks)
    case .headTurn(let difficulty): TaskRequest(kind: "head-turn", difficulty: difficulty.rawValue)
    case .headPath(let difficulty): TaskRequest(kind: "head-path", difficulty: difficulty.rawValue)
    case .light(let difficulty): TaskRequest(kind: "light", difficulty: difficulty.rawValue)
    }
  }

  private func time(_ timeout: Double?) -> Int? { timeout.map(TaskProperties.milliseconds) }
}

/// Task: answer questions by tilting the head, right for yes and left for no.
public struct YesOrNoTask: Hashable, Sendable {
  public struct Question: Hashable, Sendable {
    /// Yes-or-no question, 1…200 characters.
    public var question: String
    /// Expected answer; `true` for yes.
    public var answer: Bool
    /// Message shown after a wrong answer; at most 200 characters.
    public var errorMessage: String?

    public init(question: String, answer: Bool, errorMessage: String? = nil) {
      self.question = question
      self.answer = answer
      self.errorMessage = errorMessage
    }
  }

  public var difficulty: TaskDifficulty
  /// Timeout of the task in milliseconds; `nil` for the server's default.
  public var timeout: Double?
  public var questions: [Question]?

  public init(difficulty: TaskDifficulty = .medium, timeout: Double? = nil, questions: [Question]? = nil) {
    self.difficulty = difficulty
    self.timeout = timeout
    self.questions = questions
  }
}
