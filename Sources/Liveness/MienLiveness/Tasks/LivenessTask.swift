public import MienCore
internal import RealModule

/// Action that a subject must perform in front of the camera. The client supplies the localized text.
public enum LivenessTask: Hashable, Sendable {
  case headTurn(HeadTurnTask)
  case completeTheCircle(CircleTask)
  case yesOrNo(YesOrNoTask)
  case motions(MotionsTask)
  case blink(BlinkTask)
  case headPath(HeadPathTask)
  case light(LightTask)

  public var kind: TaskKind {
    switch self {
    case .headTurn: .headTurn
    case .completeTheCircle: .completeTheCircle
    case .yesOrNo: .yesOrNo
    case .motions: .motions
    case .blink: .blink
    case .headPath: .headPath
    case .light: .light
    }
  }

  /// Time limit from the start of tracking.
  public var timeout: Interval {
    switch self {
    case .headTurn(let task): task.settings.timeLimit
    case .completeTheCircle(let task): task.timeout
    case .yesOrNo(let task): task.timeout
    case .motions(let task): task.timeout
    case .blink(let task): task.timeout
    case .headPath(let task): task.timeout
    case .light(let task): task.timeout
    }
  }

  /// log₂ of the number of tasks of the same kind and difficulty this one was chosen from, that is, the number of bits a prerecorded clip
  /// would have to guess.
  ///
  /// A fixed task has 0 bits. Shuffled questions count the possible orders of their answers.
  public var bitsOfChoice: Double {
    switch self {
    case .headTurn(let task): task.isChosen ? 1 : 0
    case .completeTheCircle(let task): task.direction == nil ? 0 : 1
    case .yesOrNo(let task): task.isShuffled ? Self.orders(of: task.questions) : 0
    case .motions(let task): task.bitsOfChoice
    case .blink(let task): Double.log2(Double(task.choices))
    case .headPath(let task): task.bitsOfChoice
    case .light(let task): task.bitsOfChoice
    }
  }

  /// Abilities that the task requires.
  public var needs: AccessibilityProfile {
    switch self {
    case .headTurn, .completeTheCircle, .yesOrNo: [.neck]
    case .motions(let task): task.needs
    case .blink: [.eyelids]
    case .headPath: [.neck, .sight]
    case .light: []
    }
  }

  /// Returns a random task of this kind, or `nil` for questions, which the integrator must supply.
  public static func random(
    _ kind: TaskKind, difficulty: TaskDifficulty = .medium, using generator: inout some RandomNumberGenerator
  ) -> LivenessTask? {
    switch kind {
    case .headTurn: (try? HeadTurnTask.random(difficulty: difficulty, using: &generator)).map(LivenessTask.headTurn)
    case .completeTheCircle:
      (try? CircleTask.random(difficulty: difficulty, using: &generator)).map(LivenessTask.completeTheCircle)
    case .yesOrNo: nil
    case .motions: (try? MotionsTask.random(difficulty: difficulty, using: &generator)).map(LivenessTask.motions)
    case .blink: (try? BlinkTask.random(difficulty: difficulty, using: &generator)).map(LivenessTask.blink)
    case .headPath: (try? HeadPathTask.random(difficulty: difficulty, using: &generator)).map(LivenessTask.headPath)
    case .light: (try? LightTask.random(difficulty: difficulty, using: &generator)).map(LivenessTask.light)
    }
  }

  /// Returns log₂ of the number of possible orders of the answers.
  private static func orders(of questions: [TaskQuestion]) -> Double {
    let yes = questions.count { $0.answer }
    var orders = 1.0
    for place in 0..<yes { orders *= Double(questions.count - place) / Double(yes - place) }
    return Double.log2(orders)
  }
}

extension LivenessTask {
  /// Returns an equivalent task that a subject with these abilities can perform and that has at least as many bits of choice.
  ///
  /// A task whose requirements are met is returned unchanged. Otherwise the result is a sequence of the small motions that the subject
  /// can make, with random pauses if the motions alone have too few bits. Without the neck, the motions are blinks and mouth openings;
  /// with the eyelids alone, blinks and longer eye closures. A replacement of a question task has the same strength but does not collect
  /// the answers.
  ///
  /// - Returns: `nil` if no motion is possible.
  public func twin(for abilities: AccessibilityProfile, using generator: inout some RandomNumberGenerator)
    -> LivenessTask?
  {
    needs.isSubset(of: abilities) ? self : Self.motions(for: abilities, bits: bitsOfChoice, using: &generator)
  }

  /// Returns random motions with at least `bits` bits of choice that a subject with these abilities can make; `nil` if no
  /// motion is possible.
  static func motions(
    for abilities: AccessibilityProfile, bits: Double, using generator: inout some RandomNumberGenerator
  ) -> LivenessTask? {
    var able = Set([Motion.nod, .blink, .mouth].filter { $0.needs.isSubset(of: abilities) })
    // Blinks alone are a weak choice: people blink spontaneously, so a clip of many blinks matches many sequences of pauses.
    if able == [.blink] { able.insert(.closure) }
    return (try? MotionsTask.random(of: able, bits: bits, using: &generator)).map(LivenessTask.motions)
  }
}

extension LivenessTask {
  /// Returns the task that takes the place of this one if it is declined or cannot be assessed: one of movement with at least
  /// as many bits of choice, for a subject with these abilities.
  ///
  /// - Returns: `nil` if this task needs no alternative, or if the subject cannot perform any.
  public func alternative(
    for abilities: AccessibilityProfile, using generator: inout some RandomNumberGenerator
  ) -> LivenessTask? {
    guard case .light = self else { return nil }
    if abilities.isSuperset(of: [.neck, .sight]) { return .random(.headPath, using: &generator) }
    var able = Set([Motion.nod, .blink, .mouth].filter { $0.needs.isSubset(of: abilities) })
    if able == [.blink] { able.insert(.closure) }
    let motions = try? MotionsTask.random(of: able, bits: bitsOfChoice, using: &generator)
    return motions.map(LivenessTask.motions)
  }
}

/// Kind of a task; the raw value is the stable wire name and the name of the task's finding.
public enum TaskKind: String, Hashable, Sendable, CaseIterable {
  case headTurn = "head-turn"
  case completeTheCircle = "complete-the-circle"
  case yesOrNo = "yes-or-no"
  case motions = "motions"
  case blink = "blink"
  case headPath = "head-path"
  case light = "light"
}

/// Difficulty of a task; each task's settings define its effect.
public enum TaskDifficulty: String, Hashable, Sendable, CaseIterable {
  case easy, medium, hard
}
