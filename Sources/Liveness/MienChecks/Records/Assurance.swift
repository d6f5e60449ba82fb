/// Evidence that a verdict rests on. The cases are ordered from the weakest to the strongest.
///
/// Integrators compare it with the minimum that they require. Stronger values may be added after the last one.
public enum Assurance: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Nothing was evaluated.
  case none
  /// Observations reported by a device; the server received no frames.
  case claimed
  /// Depth captures reported by a device, compared with the person's enrolled thresholds; no task was requested.
  case depth
  /// Tasks evaluated by the server in the frames that it received.
  case frames

  public static func < (left: Assurance, right: Assurance) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .none: 0
    case .claimed: 1
    case .depth: 2
    case .frames: 3
    }
  }
}
