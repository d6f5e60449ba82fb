/// A level with hysteresis: what is not seen begins above `enter`, what is seen stays as long as it is above `release`.
public struct HysteresisThreshold: Hashable, Sendable {
  public let enter: Float
  public let release: Float

  /// Refuses (nil) levels outside 0…1.5 and a release above its enter.
  public init?(enter: Float, release: Float) {
    guard enter >= 0, enter <= 1.5, release >= 0, release <= enter else { return nil }
    self.enter = enter
    self.release = release
  }

  /// The level that counts now.
  func level(_ isHeld: Bool) -> Float { isHeld ? release : enter }
}
