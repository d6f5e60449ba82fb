public import MienCore

/// Answer questions by tilting the head: to the subject's right = yes, to the left = no, upright between.
public struct YesOrNoTask: Hashable, Sendable {
  /// The most questions that one task takes.
  public static let maximumQuestions = 20

  /// In the order in which they are asked.
  public let questions: [TaskQuestion]
  public let difficulty: TaskDifficulty
  public let settings: YesOrNoSettings
  /// 1…300 s.
  public let timeout: Interval
  /// True when the order is of chance: only then does the task ask something that a stored clip does not know.
  public let isShuffled: Bool

  /// The questions in the order given.
  ///
  /// - Throws: ``TaskError`` for no or more than ``maximumQuestions`` questions, bad or repeated ids, a bad timeout.
  public init(
    questions: [TaskQuestion], difficulty: TaskDifficulty = .medium, settings: YesOrNoSettings? = nil,
    timeout: Interval? = nil
  ) throws(TaskError) {
    try self.init(questions, isShuffled: false, difficulty, settings, timeout)
  }

  /// The questions in an order of chance.
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
