public import MienCore

/// An expression that was held long enough.
public struct RecognizedExpression: Hashable, Sendable {
  public let expression: FaceExpression
  /// When it was first seen.
  public let began: MonotonicInstant
  /// When it had been held long enough.
  public let at: MonotonicInstant

  public init(expression: FaceExpression, began: MonotonicInstant, at: MonotonicInstant) {
    self.expression = expression
    self.began = began
    self.at = at
  }
}
