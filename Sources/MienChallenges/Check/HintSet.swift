import MienModel

/// Hints without heap storage.
struct HintSet: Hashable, Sendable {
  private var bits: UInt16 = 0

  init() {}

  init(_ hints: some Sequence<Hint>) {
    for hint in hints { insert(hint) }
  }

  mutating func insert(_ hint: Hint) { bits |= Self.bit(hint) }
  func contains(_ hint: Hint) -> Bool { bits & Self.bit(hint) != 0 }
  var isEmpty: Bool { bits == 0 }
  /// In the order of ``MienModel/Hint``.
  var hints: [Hint] { Hint.allCases.filter(contains) }

  private static func bit(_ hint: Hint) -> UInt16 {
    switch hint {
    case .noFace: 1
    case .severalFaces: 2
    case .tooFar: 4
    case .tooClose: 8
    case .offCentre: 16
    case .tooDark: 32
    case .tooBright: 64
    case .comeBack: 128
    case .otherWay: 256
    }
  }
}

extension HintSet: Taped {
  mutating func pass(over tape: inout StateTape) { tape.pass(&bits) }
}
