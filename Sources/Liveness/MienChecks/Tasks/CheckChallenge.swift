internal import MienCore
internal import MienLiveness
internal import MienPlatform

/// The strength and the tasks with which a check is created.
struct CheckChallenge: Sendable {
  /// Level that was requested or is the server's default; `nil` if the tasks were requested without one.
  let assurance: AssuranceLevel?
  /// `nil` for the head turn alone.
  let tasks: CheckTasks?
  /// log₂ of the number of variants that the server chose from, for one attempt.
  let bitsOfChoice: Double

  /// - Parameters:
  ///   - assurance: requested level; with tasks or a side, the minimum that they must reach.
  ///   - standard: level of a check for which neither a level nor tasks nor a side are requested.
  ///   - tasks: requested tasks; `nil` or empty for those of the level.
  ///   - side: requested side of a single head turn; `nil` for a random one.
  ///   - abilities: the actions that the person can perform; `nil` for all.
  ///   - seed: 32 secret bytes.
  /// - Throws: ``ServiceError`` with code `badValue` for invalid tasks, or weaker ones than the level requires.
  init(
    assurance: AssuranceLevel?, standard: AssuranceLevel, tasks: [TaskOptions]? = nil, side: Side? = nil,
    abilities: AccessibilityOptions? = nil, seed: [UInt8]
  ) throws {
    let abilities = abilities?.isEverything == false ? abilities : nil
    let requested = tasks ?? []
    let level = assurance ?? (requested.isEmpty && side == nil ? standard : nil)
    if !requested.isEmpty {
      self.tasks = CheckTasks(requested: requested, seed: seed, abilities: abilities)
    } else if side == nil, level != .basic, let level {
      self.tasks = CheckTasks(of: level, seed: seed, abilities: abilities)
    } else {
      // The substitute for a head turn is not a head turn.
      self.tasks = abilities.map { CheckTasks(of: .basic, seed: seed, abilities: $0) }
    }
    self.assurance = level
    bitsOfChoice = try self.tasks?.plan().bitsOfChoice ?? (side == nil ? AssuranceLevel.basic.minimumBits : 0)
    if let assurance, bitsOfChoice < assurance.minimumBits {
      let bits = (bitsOfChoice * 10).rounded(.down) / 10
      throw ServiceError(
        .badValue,
        "The requested tasks have \(bits) bits of choice; \"assurance\": \"\(assurance.rawValue)\" requires "
          + "\(Int(assurance.minimumBits)). Request stronger tasks, or leave one of the two out.")
    }
  }
}
