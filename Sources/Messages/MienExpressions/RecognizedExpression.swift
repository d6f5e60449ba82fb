public import MienCore

/// Expression that was held long enough.
public struct RecognizedExpression: Hashable, Sendable {
  public let expression: FaceExpression
  /// Instant at which it was first seen.
  public let began: MonotonicInstant
  /// Instant at which the hold time was reached.
  public let at: MonotonicInstant

  public init(expression: FaceExpression, began: MonotonicInstant, at: MonotonicInstant) {
    self.expression = expression
    self.began = began
    self.at = at
  }
}
