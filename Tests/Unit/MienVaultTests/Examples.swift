import MienExpressions
import MienCore
import MienVault
import Testing

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
