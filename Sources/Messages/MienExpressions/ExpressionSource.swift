/// Source of the coefficients, which determines the coefficients that are used and their levels.
public enum ExpressionSource: String, Hashable, Sendable, CaseIterable {
  /// ARKit's 52 coefficients as measured by a phone.
  case phone
  /// Coefficients of MediaPipe's model from the server's tracker: `cheekPuff` is always near zero, and the tongue comes from another
  /// model or is absent.
  case tracker
}
