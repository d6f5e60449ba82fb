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
