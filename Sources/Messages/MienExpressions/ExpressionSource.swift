/// Who measured the coefficients; it decides which of them are believed and which levels they are held against.
public enum ExpressionSource: String, Hashable, Sendable, CaseIterable {
  /// ARKit's 52 coefficients as a phone measures them.
  case phone
  /// Coefficients of MediaPipe's model as our tracker gives them: `cheekPuff` is always near zero there, the tongue comes
  /// from another model or not at all.
  case tracker
}
