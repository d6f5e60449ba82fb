/// The tasks of one check, in their order.
public struct TaskPlan: Hashable, Sendable {
  /// The most tasks that one check takes.
  public static let maximumTasks = 8

  public let tasks: [LivenessTask]

  /// - Throws: ``TaskError`` for no task or more than ``maximumTasks``.
  public init(_ tasks: [LivenessTask]) throws(TaskError) {
    guard !tasks.isEmpty else { throw TaskError(.emptyPlan, "tasks") }
    guard tasks.count <= Self.maximumTasks else { throw TaskError(.tooManyTasks, "tasks") }
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
    for abilities: AccessibilityProfile = .all, difficulty: TaskDifficulty = .medium,
    using generator: inout some RandomNumberGenerator
  ) -> TaskPlan? {
    var tasks: [LivenessTask] = []
    for kinds in [[TaskKind.headTurn, .completeTheCircle, .blink], [.motions, .headPath]] {
      let kind = kinds[Int.random(in: kinds.indices, using: &generator)]
      guard let task = LivenessTask.random(kind, difficulty: difficulty, using: &generator),
        let twin = task.twin(for: abilities, using: &generator)
      else { return nil }
      tasks.append(twin)
    }
    return try? TaskPlan(tasks)
  }

  /// The bits of choice of all tasks; that the kinds were chosen too is not counted.
  public var bitsOfChoice: Double { tasks.reduce(0) { $0 + $1.bitsOfChoice } }

  public var needs: AccessibilityProfile { tasks.reduce(into: []) { $0.formUnion($1.needs) } }
}
