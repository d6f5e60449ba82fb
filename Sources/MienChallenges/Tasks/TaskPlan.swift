/// The tasks of one check, in their order.
public struct TaskPlan: Hashable, Sendable {
  /// The most tasks that one check takes.
  public static let maximumTasks = 8

  public let tasks: [LivenessTask]

  /// - Throws: ``TaskRefusal`` for no task or more than ``maximumTasks``.
  public init(_ tasks: [LivenessTask]) throws(TaskRefusal) {
    guard !tasks.isEmpty else { throw TaskRefusal(.emptyPlan, "tasks") }
    guard tasks.count <= Self.maximumTasks else { throw TaskRefusal(.tooManyTasks, "tasks") }
    self.tasks = tasks
  }

  /// One task alone.
  public init(_ task: LivenessTask) {
    tasks = [task]
  }

  /// What is asked when the integrator asks for nothing: one short task (a head turn, a circle or blinks) and one of many
  /// bits (motions or a head path), each replaced by its twin where the person cannot do it.
  ///
  /// - Returns: nil when the person can do nothing of what tasks ask for.
  public static func random(
    for abilities: Abilities = .all, difficulty: TaskDifficulty = .medium,
    using dice: inout some RandomNumberGenerator
  ) -> TaskPlan? {
    var tasks: [LivenessTask] = []
    for kinds in [[TaskKind.headTurn, .completeTheCircle, .blink], [.motions, .headPath]] {
      let kind = kinds[Int.random(in: kinds.indices, using: &dice)]
      guard let task = LivenessTask.random(kind, difficulty: difficulty, using: &dice),
        let twin = task.twin(for: abilities, using: &dice)
      else { return nil }
      tasks.append(twin)
    }
    return try? TaskPlan(tasks)
  }

  /// The bits of choice of all tasks; that the kinds were chosen too is not counted.
  public var bitsOfChoice: Double { tasks.reduce(0) { $0 + $1.bitsOfChoice } }

  public var needs: Abilities { tasks.reduce(into: []) { $0.formUnion($1.needs) } }
}
