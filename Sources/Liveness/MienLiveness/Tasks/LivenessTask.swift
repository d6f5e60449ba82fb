public import MienCore

/// One thing a person is asked to do in front of the camera. The words for it are the client's.
public enum LivenessTask: Hashable, Sendable {
  case headTurn(HeadTurnTask)
  case completeTheCircle(CircleTask)
  case yesOrNo(YesOrNoTask)
  case motions(MotionsTask)
  case blink(BlinkTask)
  case headPath(HeadPathTask)

  public var kind: TaskKind {
    switch self {
    case .headTurn: .headTurn
    case .completeTheCircle: .completeTheCircle
    case .yesOrNo: .yesOrNo
    case .motions: .motions
    case .blink: .blink
    case .headPath: .headPath
    }
  }

  /// How long the person has from the begin of tracking.
  public var timeout: Interval {
    switch self {
    case .headTurn(let task): task.settings.timeLimit
    case .completeTheCircle(let task): task.timeout
    case .yesOrNo(let task): task.timeout
    case .motions(let task): task.timeout
    case .blink(let task): task.timeout
    case .headPath(let task): task.timeout
    }
  }

  /// log₂ of how many tasks of its kind and difficulty this one was chosen from: what a stored clip has to guess.
  ///
  /// A task that was fixed has none. Questions in an order of chance count for the orders of their answers.
  public var bitsOfChoice: Double {
    switch self {
    case .headTurn(let task): task.isChosen ? 1 : 0
    case .completeTheCircle(let task): task.direction == nil ? 0 : 1
    case .yesOrNo(let task): task.isShuffled ? Self.orders(of: task.questions) : 0
    case .motions(let task): task.bitsOfChoice
    case .blink(let task): binaryLogarithm(Double(task.choices))
    case .headPath(let task): task.bitsOfChoice
    }
  }

  /// What a person has to be able to do for it.
  public var needs: AccessibilityProfile {
    switch self {
    case .headTurn, .completeTheCircle, .yesOrNo: [.neck]
    case .motions(let task): task.needs
    case .blink: [.eyelids]
    case .headPath: [.neck, .sight]
    }
  }

  /// A task of chance of this kind; nil for questions, which the integrator has to bring.
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
    }
  }

  /// log₂ of in how many ways the answers can be ordered.
  private static func orders(of questions: [TaskQuestion]) -> Double {
    let yes = questions.count { $0.answer }
    var orders = 1.0
    for place in 0..<yes { orders *= Double(questions.count - place) / Double(yes - place) }
    return binaryLogarithm(orders)
  }
}
