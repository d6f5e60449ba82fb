internal import MienLiveness

/// The tasks of a check as they are kept: what was asked for, and the seed of all that was left to chance.
///
/// The same wishes and seed give the same tasks, so that a check goes on after a restart.
public struct CheckTasks: Codable, Hashable, Sendable {
  /// In their order; empty: two tasks of chance.
  public let wishes: [TaskOptions]
  /// 32 bytes that nobody outside learns.
  public let seed: [UInt8]
  /// What the person can do; nil: everything. A task that asks for more is replaced by its twin.
  public let abilities: AccessibilityOptions?

  public init(wishes: [TaskOptions], seed: [UInt8], abilities: AccessibilityOptions? = nil) {
    self.wishes = wishes
    self.seed = seed
    self.abilities = abilities
  }

  /// The names of the kinds of the tasks, in their order.
  public var kinds: [String] { (try? plan().tasks.map(\.kind.rawValue)) ?? wishes.map(\.kind) }

  /// - Throws: ``ServiceError`` with code `badValue` for what cannot be asked.
  func plan() throws -> TaskPlan {
    var generator = DeterministicRNG(seed: seed)
    let able = abilities?.values ?? .all
    if wishes.isEmpty {
      guard let plan = TaskPlan.random(for: able, using: &generator) else { throw Self.nothingLeft }
      return plan
    }
    guard wishes.count <= TaskPlan.maximumTasks else {
      throw ServiceError(.badValue, "tasks: a check has at most \(TaskPlan.maximumTasks) tasks.")
    }
    var tasks: [LivenessTask] = []
    for options in wishes {
      guard let task = try options.task(using: &generator).twin(for: able, using: &generator) else {
        throw Self.nothingLeft
      }
      tasks.append(task)
    }
    do throws(TaskError) {
      return try TaskPlan(tasks)
    } catch {
      throw ServiceError(.badValue, "tasks: \(error.option): \(error.code.text).")
    }
  }

  private static var nothingLeft: ServiceError {
    ServiceError(.badValue, "abilities: without neck, eyelids and mouth there is no task left to ask for.")
  }
}

extension CheckTasks: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckTasks(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
