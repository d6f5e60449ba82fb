/// One task in the body of `POST /v1/checks`.
public struct TaskRequest: Codable, Hashable, Sendable {
  /// A question of the yes-or-no task.
  public struct Question: Codable, Hashable, Sendable {
    /// Question text of the integrator, 1…200 characters.
    public var question: String
    /// Expected answer; `true` for yes.
    public var answer: Bool
    /// Message displayed after a wrong answer; at most 200 characters.
    public var errorMessage: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
      case question, answer
      case errorMessage = "error_message"
    }

    public init(question: String, answer: Bool, errorMessage: String? = nil) {
      self.question = question
      self.answer = answer
      self.errorMessage = errorMessage
    }

    /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
    public init(from decoder: any Decoder) throws {
      try decoder.refuseStrayKeys(CodingKeys.self)
      let box = try decoder.container(keyedBy: CodingKeys.self)
      question = try box.decode(String.self, forKey: .question)
      answer = try box.decode(Bool.self, forKey: .answer)
      errorMessage = try box.decodeIfPresent(String.self, forKey: .errorMessage)
    }
  }

  /// Task kind that represents the depth gate: first in the list, without options.
  public static let depthGate = "depth-gate"

  /// `depth-gate`, `head-turn`, `complete-the-circle`, `yes-or-no`, `motions`, `blink`, `head-path` or
  /// `light`.
  public var kind: String
  /// `easy`, `medium` or `hard`.
  public var difficulty: String?
  /// Timeout in milliseconds.
  public var timeout: Int?
  public var maxNods: Int?
  public var maxBlinks: Int?
  public var questions: [Question]?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case kind, difficulty, timeout, questions
    case maxNods = "max_nods"
    case maxBlinks = "max_blinks"
  }

  public init(
    kind: String, difficulty: String? = nil, timeout: Int? = nil, maxNods: Int? = nil, maxBlinks: Int? = nil,
    questions: [Question]? = nil
  ) {
    self.kind = kind
    self.difficulty = difficulty
    self.timeout = timeout
    self.maxNods = maxNods
    self.maxBlinks = maxBlinks
    self.questions = questions
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    kind = try box.decode(String.self, forKey: .kind)
    difficulty = try box.decodeIfPresent(String.self, forKey: .difficulty)
    timeout = try box.decodeIfPresent(Int.self, forKey: .timeout)
    maxNods = try box.decodeIfPresent(Int.self, forKey: .maxNods)
    maxBlinks = try box.decodeIfPresent(Int.self, forKey: .maxBlinks)
    questions = try box.decodeIfPresent([Question].self, forKey: .questions)
  }
}

/// Body of `POST /v1/checks/{id}/tasks`.
public struct ChooseTasksRequest: Codable, Hashable, Sendable {
  public var tasks: [TaskRequest]

  public enum CodingKeys: String, CodingKey, CaseIterable { case tasks }

  public init(tasks: [TaskRequest]) {
    self.tasks = tasks
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    tasks = try decoder.container(keyedBy: CodingKeys.self).decode([TaskRequest].self, forKey: .tasks)
  }
}
