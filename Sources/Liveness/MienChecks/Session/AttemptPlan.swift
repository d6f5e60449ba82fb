internal import MienLiveness
internal import MienCore

/// The challenge of one attempt of a check.
struct AttemptPlan: Sendable {
  /// `nil` for the head turn to ``side``.
  let tasks: TaskPlan?
  let side: Side
  /// Seed of the tasks of a further attempt, 32 bytes; that of the first attempt is in the check's record.
  let seed: [UInt8]

  /// `true` if the challenge is a single head turn.
  var isHeadTurnOnly: Bool {
    guard let tasks else { return true }
    return tasks.tasks.count == 1 && tasks.tasks[0].kind == .headTurn
  }

  /// Creates the first attempt, with the challenge chosen when the check was created.
  ///
  /// - Throws: ``ServiceError`` with code `badValue` for invalid tasks.
  init(firstOf record: CheckRecord) throws {
    tasks = try record.tasks?.plan()
    side = record.side
    seed = []
  }

  /// Creates a further attempt with newly drawn tasks.
  init(of record: CheckRecord, seed: [UInt8], side: Side) throws {
    tasks = try record.tasks.map { try $0.drawn(with: seed).plan() }
    self.side = side
    self.seed = seed
  }
}
