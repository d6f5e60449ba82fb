public import MienCore

/// Task to answer questions by tilting the head: to the subject's right for yes, to the left for no, upright in between.
public struct YesOrNoTask: Hashable, Sendable {
  /// Maximum number of questions in one task.
  public static let maximumQuestions = 20

  /// Questions in the order in which they are asked.
  public let questions: [TaskQuestion]
  public let difficulty: TaskDifficulty
  public let settings: YesOrNoSettings
  /// Time limit, 1…300 s.
  public let timeout: Interval
  /// `true` if the order is random: only then is the task unpredictable for a prerecorded clip.
  public let isShuffled: Bool

  /// Creates a task with the questions in the given order.
  ///
  /// - Throws: ``TaskError`` if there are no questions or more than ``maximumQuestions``, if an ID is invalid or repeated, or if the
  ///   timeout is out of range.
  public init(
    questions: [TaskQuestion], difficulty: TaskDifficulty = .medium, settings: YesOrNoSettings? = nil,
    timeout: Interval? = nil
  ) throws(TaskError) {
    try self.init(questions, isShuffled: false, difficulty, settings, timeout)
  }

  /// Returns a task with the questions in random order.
  public static func shuffled(
    questions: [TaskQuestion], difficulty: TaskDifficulty = .medium, timeout: Interval? = nil,
    using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> YesOrNoTask {
    try YesOrNoTask(questions.shuffled(using: &generator), isShuffled: true, difficulty, nil, timeout)
  }

  private init(
    _ questions: [TaskQuestion], isShuffled: Bool, _ difficulty: TaskDifficulty, _ settings: YesOrNoSettings?,
    _ timeout: Interval?
  ) throws(TaskError) {
    guard !questions.isEmpty else { throw TaskError(.emptyQuestions, "questions") }
    guard questions.count <= Self.maximumQuestions else { throw TaskError(.outOfRange, "questions") }
    var ids: Set<String> = []
    for question in questions {
      guard CheckID(question.id) != nil else { throw TaskError(.badQuestion, "questions") }
      guard ids.insert(question.id).inserted else { throw TaskError(.repeatedQuestion, "questions") }
    }
    self.questions = questions
    self.isShuffled = isShuffled
    self.difficulty = difficulty
    self.settings = settings ?? .standard(difficulty)
    self.timeout = try TaskTimeout.checked(timeout, else: .seconds(10 + 8 * Double(questions.count)))
  }
}

/// Question of a ``YesOrNoTask``. The integrator supplies its text and the message for a wrong answer.
public struct TaskQuestion: Hashable, Sendable {
  /// ID assigned by the integrator: 1…64 characters of `A–Z a–z 0–9 - _`.
  public let id: String
  /// Expected answer; `true` for yes.
  public let answer: Bool

  public init(id: String, answer: Bool) {
    self.id = id
    self.answer = answer
  }
}

/// Settings for detecting an answer. The initializer validates every value.
public struct YesOrNoSettings: Hashable, Sendable {
  /// Degrees of roll from the rest pose beyond which a head is tilted, 5…45.
  public let tilt: Float
  /// Degrees of roll below which the head is upright again. At least 1, below `tilt`.
  public let upright: Float
  /// Time for which a tilt must be held, in at least two samples, 0…3 s.
  public let hold: Interval
  /// Minimum time from the question to a tilt, for reading the question, 0…5 s.
  public let reading: Interval

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    tilt: Float = 14, upright: Float = 6, hold: Interval = .milliseconds(200),
    reading: Interval = .milliseconds(250)
  ) {
    guard (5...45).contains(tilt), upright >= 1, upright < tilt,
      (Interval.zero...Interval.seconds(3)).contains(hold),
      (Interval.zero...Interval.seconds(5)).contains(reading)
    else { return nil }
    self.tilt = tilt
    self.upright = upright
    self.hold = hold
    self.reading = reading
  }

  /// Returns the settings for a difficulty. Easy: a small, short tilt; hard: a pronounced, longer one.
  public static func standard(_ difficulty: TaskDifficulty) -> YesOrNoSettings {
    let settings =
      switch difficulty {
      case .easy: YesOrNoSettings(tilt: 11, upright: 6, hold: .milliseconds(120))
      case .medium: YesOrNoSettings()
      case .hard: YesOrNoSettings(tilt: 17, upright: 5, hold: .milliseconds(350))
      }
    guard let settings else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }
}
