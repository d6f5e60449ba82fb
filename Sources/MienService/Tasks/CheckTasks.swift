internal import MienChallenges

/// The tasks of a check as they are kept: what was asked for, and the seed of all that was left to chance.
///
/// The same wishes and seed give the same tasks, so that a check goes on after a restart.
public struct CheckTasks: Codable, Hashable, Sendable {
  /// In their order; empty: two tasks of chance.
  public let wishes: [TaskWish]
  /// 32 bytes that nobody outside learns.
  public let seed: [UInt8]

  public init(wishes: [TaskWish], seed: [UInt8]) {
    self.wishes = wishes
    self.seed = seed
  }

  /// The names of the kinds of the tasks, in their order.
  public var kinds: [String] { (try? plan().tasks.map(\.kind.rawValue)) ?? wishes.map(\.kind) }

  /// - Throws: ``ServiceError`` with code `badValue` for what cannot be asked.
  func plan() throws -> TaskPlan {
    var dice = SeededChoice(seed: seed)
    if wishes.isEmpty {
      guard let plan = TaskPlan.random(using: &dice) else { preconditionFailure("somebody who can do all can do some") }
      return plan
    }
    guard wishes.count <= TaskPlan.maximumTasks else {
      throw ServiceError(.badValue, "tasks: a check has at most \(TaskPlan.maximumTasks) tasks.")
    }
    var tasks: [LivenessTask] = []
    for wish in wishes { tasks.append(try wish.task(using: &dice)) }
    do throws(TaskRefusal) {
      return try TaskPlan(tasks)
    } catch {
      throw ServiceError(.badValue, "tasks: \(error.option): \(error.code.text).")
    }
  }
}

extension CheckTasks: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckTasks(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
