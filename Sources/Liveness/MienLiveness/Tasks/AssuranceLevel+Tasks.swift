public import MienCore

/// The tasks of each level.
///
/// The table `alternatives` defines them: a new kind of task is a new row.
extension AssuranceLevel {
  /// One task of a level, before its random choices.
  private enum Element {
    case headTurn
    /// A head path with this number of waypoints.
    case headPath(Int)
    case motions(TaskDifficulty)

    func task(using generator: inout some RandomNumberGenerator) throws(TaskError) -> LivenessTask {
      switch self {
      case .headTurn: .headTurn(try .random(using: &generator))
      case .headPath(let length): .headPath(try .random(length: length, settings: .brisk, using: &generator))
      case .motions(let difficulty): .motions(try .random(difficulty: difficulty, using: &generator))
      }
    }
  }

  /// Equally strong sequences of tasks, one of which is drawn for each check. The draw is not counted as choice.
  private var alternatives: [[Element]] {
    switch self {
    case .basic: [[.headTurn]]
    case .standard: [[.headPath(6)]]
    case .high: [[.headPath(9), .motions(.medium)]]
    }
  }

  /// Returns random tasks of this level. Tasks that the subject cannot perform are replaced by motions, which have the
  /// level's bits of choice together with the other tasks.
  ///
  /// - Returns: `nil` if the subject cannot perform any action that tasks require.
  public func plan(
    for abilities: AccessibilityProfile = .all, using generator: inout some RandomNumberGenerator
  ) -> TaskPlan? {
    let elements = alternatives[Int.random(in: alternatives.indices, using: &generator)]
    var tasks: [LivenessTask] = []
    for element in elements {
      guard let task = try? element.task(using: &generator) else { return nil }
      tasks.append(task)
    }
    let possible = tasks.filter { $0.needs.isSubset(of: abilities) }
    guard possible.count < tasks.count else { return try? TaskPlan(tasks) }
    let missing = possible.reduce(minimumBits) { $0 - $1.bitsOfChoice }
    guard let motions = LivenessTask.motions(for: abilities, bits: max(missing, 1), using: &generator) else {
      return nil
    }
    return try? TaskPlan(possible + [motions])
  }
}
