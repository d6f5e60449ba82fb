public import MienModel

/// An expression that was held long enough.
public struct PerformedExpression: Hashable, Sendable {
  public let expression: FaceExpression
  /// When it was first seen.
  public let began: Instant
  /// When it had been held long enough.
  public let at: Instant

  public init(expression: FaceExpression, began: Instant, at: Instant) {
    self.expression = expression
    self.began = began
    self.at = at
  }
}
