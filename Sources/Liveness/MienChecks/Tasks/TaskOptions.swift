internal import MienPlatform
internal import MienLiveness
internal import MienCore

/// The options of one task requested by an integrator. Plain values, stored with the check.
public struct TaskOptions: Codable, Hashable, Sendable {
  /// A question of the yes-or-no task, worded by the integrator.
  public struct Question: Codable, Hashable, Sendable {
    /// 1…200 characters.
    public var text: String
    /// The expected answer; `true` for yes.
    public var answer: Bool
    /// Message shown after a wrong answer; at most 200 characters.
    public var errorMessage: String?

    public init(text: String, answer: Bool, errorMessage: String? = nil) {
      self.text = text
      self.answer = answer
      self.errorMessage = errorMessage
    }
  }

  /// Name of a ``TaskKind``.
  public var kind: String
  /// Name of a ``TaskDifficulty``; `nil` for medium.
  public var difficulty: String?
  /// Time limit in milliseconds; `nil` for the task's default.
  public var timeout: Int?
  /// For motions: maximum number of nods, 0…20.
  public var maxNods: Int?
  /// For motions: maximum number of blinks, 0…20; for blinks: maximum number requested, 1…20.
  public var maxBlinks: Int?
  /// For yes-or-no: the questions, which are asked in random order.
  public var questions: [Question]?

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

  /// Creates the task, including its random choices.
  ///
  /// - Throws: ``ServiceError`` with code `badValue` for invalid options.
  func task(using generator: inout some RandomNumberGenerator) throws -> LivenessTask {
    guard let kind = TaskKind(rawValue: kind) else {
      throw Self.refused("\"kind\" must be one of \(TaskKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    guard let difficulty = TaskDifficulty(rawValue: difficulty ?? TaskDifficulty.medium.rawValue) else {
      throw Self.refused("\"difficulty\" must be easy, medium or hard.")
    }
    try refuseStrayOptions(of: kind)
    // Milliseconds beyond the range of intervals are out of every task's range as well.
    let limit = timeout.map { Interval.milliseconds(Double(min(max($0, -1), 1_000_000_000))) }
    do {
      return switch kind {
      case .headTurn: .headTurn(try .random(difficulty: difficulty, timeout: limit, using: &generator))
      case .completeTheCircle:
        .completeTheCircle(try .random(difficulty: difficulty, timeout: limit, using: &generator))
      case .headPath: .headPath(try .random(difficulty: difficulty, timeout: limit, using: &generator))
      case .light: .light(try .random(difficulty: difficulty, timeout: limit, using: &generator))
      case .blink:
        .blink(try .random(maxBlinks: maxBlinks ?? 5, difficulty: difficulty, timeout: limit, using: &generator))
      case .motions: .motions(try motions(difficulty, limit, using: &generator))
      case .yesOrNo:
        .yesOrNo(
          try .shuffled(questions: checkedQuestions(), difficulty: difficulty, timeout: limit, using: &generator))
      }
    } catch let refusal as TaskError {
      throw Self.refused("\(kind.rawValue): \(refusal.option): \(refusal.code.text).")
    }
  }

  private func motions(
    _ difficulty: TaskDifficulty, _ limit: Interval?, using generator: inout some RandomNumberGenerator
  ) throws -> MotionsTask {
    let (nods, blinks) = (maxNods ?? 5, maxBlinks ?? 5)
    return try .random(difficulty: difficulty, maxNods: nods, maxBlinks: blinks, timeout: limit, using: &generator)
  }

  private func checkedQuestions() throws -> [TaskQuestion] {
    try (questions ?? []).enumerated().map { index, question in
      guard (1...200).contains(question.text.unicodeScalars.count),
        (0...200).contains((question.errorMessage ?? "").unicodeScalars.count)
      else { throw Self.refused("yes-or-no: a question has 1 to 200 characters, its error message at most 200.") }
      return TaskQuestion(id: String(index), answer: question.answer)
    }
  }

  /// Returns the question with an ID issued for these options.
  func question(_ id: String) -> Question? {
    guard let questions, let index = Int(id), questions.indices.contains(index) else { return nil }
    return questions[index]
  }

  private func refuseStrayOptions(of kind: TaskKind) throws {
    let given = [
      ("max_nods", maxNods != nil, [TaskKind.motions]), ("max_blinks", maxBlinks != nil, [.motions, .blink]),
      ("questions", questions != nil, [.yesOrNo]),
    ]
    for (name, isGiven, kinds) in given where isGiven && !kinds.contains(kind) {
      throw Self.refused("\(kind.rawValue) has no \"\(name)\".")
    }
  }

  private static func refused(_ detail: String) -> ServiceError { ServiceError(.badValue, "tasks: " + detail) }
}
