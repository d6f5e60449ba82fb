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
