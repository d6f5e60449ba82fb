/// Questions, answered by tilting the head: to the right for yes, to the left for no.
public struct YesOrNoTask: Hashable, Sendable {
  public struct Question: Hashable, Sendable {
    /// A question that yes or no answers, 1…200 characters.
    public var question: String
    /// The expected answer; true for yes.
    public var answer: Bool
    /// What the person is told after a wrong answer; at most 200 characters.
    public var errorMessage: String?

    public init(question: String, answer: Bool, errorMessage: String? = nil) {
      self.question = question
      self.answer = answer
      self.errorMessage = errorMessage
    }
  }

  public var difficulty: TaskDifficulty
  /// Milliseconds after which the task fails; nil leaves it to the server.
  public var timeout: Double?
  public var questions: [Question]?

  public init(difficulty: TaskDifficulty = .medium, timeout: Double? = nil, questions: [Question]? = nil) {
    self.difficulty = difficulty
    self.timeout = timeout
    self.questions = questions
  }
}
