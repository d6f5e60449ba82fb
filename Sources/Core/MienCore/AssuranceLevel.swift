/// Strength of a check's tasks against recordings, as requested by the integrator.
public enum AssuranceLevel: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
  /// One head turn to a random side, after the depth gate where there is depth.
  case basic
  /// Tasks that a recording of another check does not pass.
  case standard
  /// More and longer tasks than ``standard``.
  case high

  /// Minimum bits of choice of the tasks: log₂ of the number of variants that the server could have requested.
  public var minimumBits: Double {
    switch self {
    case .basic: 1
    case .standard: 13
    case .high: 30
    }
  }

  public static func < (left: AssuranceLevel, right: AssuranceLevel) -> Bool { left.minimumBits < right.minimumBits }
}
