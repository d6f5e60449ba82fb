import MienExpressions
import MienCore
import MienVault
import Testing

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

enum Examples {
  static let five: [FaceExpression] = [.smile, .winkLeft, .tongueOut, .surprise, .smooch]

  static func secret(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

  /// Returns an instant in seconds.
  static func at(_ seconds: Double) -> MonotonicInstant { .zero + .seconds(seconds) }

  /// Returns all sequences of five steps.
  static func everySequence() throws -> [ExpressionSequence] {
    var rows: [[FaceExpression]] = [[]]
    for _ in 0..<5 {
      rows = rows.flatMap { row in FaceExpression.allCases.filter { $0 != row.last }.map { row + [$0] } }
    }
    return try rows.map { try ExpressionSequence($0) }
  }
}
