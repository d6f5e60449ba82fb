internal import Crypto
public import MienCore
internal import MienLiveness
internal import MienPlatform

/// The stored tasks of a check: the requested options, and the seed of all random choices.
///
/// The same options and seed produce the same tasks, so that a check can continue after a restart.
public struct CheckTasks: Codable, Hashable, Sendable {
  /// Requested tasks in order; the tasks of ``assurance`` if empty.
  public let requested: [TaskOptions]
  /// Level that determines the tasks if none were requested.
  public let assurance: AssuranceLevel?
  /// 32 secret bytes.
  public let seed: [UInt8]
  /// Abilities of the person; `nil` for all. A task that requires more is replaced by an equivalent one.
  public let abilities: AccessibilityOptions?

  public init(requested: [TaskOptions], seed: [UInt8], abilities: AccessibilityOptions? = nil) {
    self.init(requested, nil, seed, abilities)
  }

  public init(of assurance: AssuranceLevel, seed: [UInt8], abilities: AccessibilityOptions? = nil) {
    self.init([], assurance, seed, abilities)
  }

  /// Returns the same request with other random choices.
  func drawn(with seed: [UInt8]) -> CheckTasks { CheckTasks(requested, assurance, seed, abilities) }

  private init(
    _ requested: [TaskOptions], _ assurance: AssuranceLevel?, _ seed: [UInt8], _ abilities: AccessibilityOptions?
  ) {
    self.requested = requested
    self.assurance = assurance
    self.seed = seed
    self.abilities = abilities
  }

  /// Kinds of the tasks, in order.
  public var kinds: [String] { (try? plan().tasks.map(\.kind.rawValue)) ?? requested.map(\.kind) }

  /// - Throws: ``ServiceError`` with code `badValue` for invalid tasks.
  func plan() throws -> TaskPlan {
    var generator = DeterministicRNG(seed: seed)
    let able = abilities?.values ?? .all
    if requested.isEmpty {
      guard let plan = (assurance ?? .standard).plan(for: able, using: &generator) else { throw Self.nothingLeft }
      return plan
    }
    guard requested.count <= TaskPlan.maximumTasks else {
      throw ServiceError(.badValue, "tasks: a check has at most \(TaskPlan.maximumTasks) tasks.")
    }
    var tasks: [LivenessTask] = []
    for options in requested {
      guard let task = try options.task(using: &generator).twin(for: able, using: &generator) else {
        throw Self.nothingLeft
      }
      tasks.append(task)
    }
    // Drawn last: the tasks themselves stay the same whether they have alternatives or not.
    let alternatives = tasks.map { $0.alternative(for: able, using: &generator) }
    do throws(TaskError) {
      return try TaskPlan(tasks, alternatives: alternatives)
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

/// The abilities reported by a person, by their API names. Stored with the check as plain names.
public struct AccessibilityOptions: Codable, Hashable, Sendable {
  private static let known: [(name: String, ability: AccessibilityProfile)] = [
    ("neck", .neck), ("eyelids", .eyelids), ("mouth", .mouth), ("sight", .sight),
  ]

  private let names: [String]

  /// - Throws: ``ServiceError`` with code `badValue` for an unknown or repeated name.
  public init(_ names: [String]) throws {
    let known = Self.known.map(\.name)
    guard names.allSatisfy(known.contains), Set(names).count == names.count else {
      throw ServiceError(.badValue, "\"abilities\" holds each of \(known.joined(separator: ", ")) at most once.")
    }
    self.names = names
  }

  /// `true` if the person can perform every task.
  var isEverything: Bool { values == .all }

  var values: AccessibilityProfile {
    Self.known.reduce(into: []) { if names.contains($1.name) { $0.formUnion($1.ability) } }
  }
}

extension AccessibilityOptions: CustomStringConvertible, CustomReflectable {
  public var description: String { "AccessibilityOptions(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A random number generator with a secret seed: SHA-256 blocks over the seed and a counter (similar to Hash_DRBG of
/// NIST SP 800-90A). Observing some outputs reveals neither the seed nor the others.
struct DeterministicRNG: RandomNumberGenerator {
  private let seed: [UInt8]
  private var counter: UInt64 = 0
  private var block: [UInt8] = []

  init(seed: [UInt8]) {
    self.seed = seed
  }

  mutating func next() -> UInt64 {
    if block.count < 8 {
      counter += 1
      block = Array(SHA256.hash(data: seed + (0..<8).map { UInt8(truncatingIfNeeded: counter >> ($0 * 8)) }))
    }
    let word = block.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    block.removeLast(8)
    return word
  }
}
