internal import MienPlatform
internal import MienLiveness

/// The stored tasks of a check: the requested options, and the seed of all random choices.
///
/// The same options and seed produce the same tasks, so that a check can continue after a restart.
public struct CheckTasks: Codable, Hashable, Sendable {
  /// Requested tasks in order; two random tasks if empty.
  public let wishes: [TaskOptions]
  /// 32 secret bytes.
  public let seed: [UInt8]
  /// Abilities of the person; `nil` for all. A task that requires more is replaced by an equivalent one.
  public let abilities: AccessibilityOptions?

  public init(wishes: [TaskOptions], seed: [UInt8], abilities: AccessibilityOptions? = nil) {
    self.wishes = wishes
    self.seed = seed
    self.abilities = abilities
  }

  /// Kinds of the tasks, in order.
  public var kinds: [String] { (try? plan().tasks.map(\.kind.rawValue)) ?? wishes.map(\.kind) }

  /// - Throws: ``ServiceError`` with code `badValue` for invalid tasks.
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
