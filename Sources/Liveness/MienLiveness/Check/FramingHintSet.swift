import MienCore

/// Set of framing hints stored as a bit mask, without heap allocation.
struct FramingHintSet: Hashable, Sendable {
  private var bits: UInt16 = 0

  init() {}

  init(_ hints: some Sequence<FramingHint>) {
    for hint in hints { insert(hint) }
  }

  mutating func insert(_ hint: FramingHint) { bits |= Self.bit(hint) }
  func contains(_ hint: FramingHint) -> Bool { bits & Self.bit(hint) != 0 }
  var isEmpty: Bool { bits == 0 }
  /// `true` if the set holds nothing but advice that a subject may be unable to follow.
  var isAdviceOnly: Bool { bits & ~(Self.bit(.faceCovered) | Self.bit(.othersBehind)) == 0 }
  /// Hints in the declaration order of ``MienCore/FramingHint``.
  var hints: [FramingHint] { FramingHint.allCases.filter(contains) }

  private static func bit(_ hint: FramingHint) -> UInt16 {
    switch hint {
    case .noFace: 1
    case .severalFaces: 2
    case .tooFar: 4
    case .tooClose: 8
    case .offCenter: 16
    case .tooDark: 32
    case .tooBright: 64
    case .comeBack: 128
    case .otherWay: 256
    case .faceCovered: 512
    case .othersBehind: 1024
    }
  }
}

extension FramingHintSet: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) { coder.pass(&bits) }
}
