/// Ordered tasks of one check.
public struct TaskPlan: Hashable, Sendable {
  /// Maximum number of tasks in one check.
  public static let maximumTasks = 8

  public let tasks: [LivenessTask]
  /// For each task, the one that takes its place if it is declined or cannot be assessed; `nil` for none.
  public let alternatives: [LivenessTask?]

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - tasks: tasks in the order of their performance.
  ///   - alternatives: one for each task; none if empty.
  /// - Throws: ``TaskError`` if there is no task or more than ``maximumTasks``.
  public init(_ tasks: [LivenessTask], alternatives: [LivenessTask?] = []) throws(TaskError) {
    guard !tasks.isEmpty else { throw TaskError(.emptyPlan, "tasks") }
    guard tasks.count <= Self.maximumTasks else { throw TaskError(.tooManyTasks, "tasks") }
    self.tasks = tasks
    self.alternatives = tasks.indices.map { alternatives.indices.contains($0) ? alternatives[$0] : nil }
  }

  /// Creates a plan with a single task.
  public init(_ task: LivenessTask) {
    tasks = [task]
    alternatives = [nil]
  }

  /// Sum of the bits of choice of all tasks.
  public var bitsOfChoice: Double { tasks.reduce(0) { $0 + $1.bitsOfChoice } }

  public var needs: AccessibilityProfile { tasks.reduce(into: []) { $0.formUnion($1.needs) } }
}

/// Actions that a subject can perform, as far as tasks require them.
///
/// No task requires a smile, color vision, or hearing. An action that is not in the set is not requested: see
/// ``LivenessTask/twin(for:using:)``.
public struct AccessibilityProfile: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Turning, nodding, and tilting the head.
  public static let neck = AccessibilityProfile(rawValue: 1)
  /// Closing and opening both eyes at will.
  public static let eyelids = AccessibilityProfile(rawValue: 2)
  /// Opening and closing the mouth at will.
  public static let mouth = AccessibilityProfile(rawValue: 4)
  /// Seeing a moving dot on the screen; all other instructions can be given in words.
  public static let sight = AccessibilityProfile(rawValue: 8)

  public static let all: AccessibilityProfile = [.neck, .eyelids, .mouth, .sight]
}
