internal import MienLiveness
internal import MienCore

/// What one attempt of a check asks for.
struct AttemptPlan: Sendable {
  /// nil: the head turn to ``side``.
  let tasks: TaskPlan?
  let side: Side
  /// The seed of the tasks of a further attempt, 32 bytes; the first one's stands in the check's record.
  let seed: [UInt8]

  /// The first attempt: what was chosen when the check was created.
  ///
  /// - Throws: ``ServiceError`` with code `badValue` for what cannot be asked.
  init(firstOf record: CheckRecord) throws {
    tasks = try record.tasks?.plan()
    side = record.side
    seed = []
  }

  /// A further attempt, which asks anew.
  init(of record: CheckRecord, seed: [UInt8], side: Side) throws {
    tasks = try record.tasks.map { try CheckTasks(wishes: $0.wishes, seed: seed, abilities: $0.abilities).plan() }
    self.side = side
    self.seed = seed
  }
}
