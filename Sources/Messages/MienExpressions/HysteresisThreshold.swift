/// Threshold with hysteresis: an expression starts above `enter` and continues while it is above `release`.
public struct HysteresisThreshold: Hashable, Sendable {
  public let enter: Float
  public let release: Float

  /// Returns `nil` if a level is outside 0…1.5 or if `release` is above `enter`.
  public init?(enter: Float, release: Float) {
    guard enter >= 0, enter <= 1.5, release >= 0, release <= enter else { return nil }
    self.enter = enter
    self.release = release
  }

  /// Returns the level that applies now.
  func level(_ isHeld: Bool) -> Float { isHeld ? release : enter }
}
