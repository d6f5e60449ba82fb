/// When a wide turn is the turn of a plane. A value of this type is always sensible.
public struct TurnPlaneSettings: Hashable, Sendable {
  /// Degrees between the two furthest yaws that make a turn wide enough to tell. 15…90.
  public let smallestTurn: Float
  /// Residual of the affine fit, in eye distances, at or below which the turn is a plane's. 0.005…1.
  public let smallestResidual: Double

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(smallestTurn: Float = 30, smallestResidual: Double = 0.1) {
    guard (15...90).contains(smallestTurn), (0.005...1).contains(smallestResidual) else { return nil }
    self.smallestTurn = smallestTurn
    self.smallestResidual = smallestResidual
  }
}
