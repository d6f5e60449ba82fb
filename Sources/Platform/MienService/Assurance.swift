/// What a verdict rests on, from the least to the most: the order of the cases is the order of their strength.
///
/// An integrator compares it with the least it needs. Stronger values may be added above the last one.
public enum Assurance: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Nothing was judged.
  case none
  /// Observations reported by a device; no frame was seen by the server.
  case claimed
  /// Depth captures reported by a device, compared with the person's enrolled thresholds; no task was asked for.
  case depth
  /// Tasks judged by the server in the frames that it received.
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
