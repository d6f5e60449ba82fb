/// Settings for detecting that a wide turn is the turn of a plane. The initializer validates every value.
public struct TurnPlaneSettings: Hashable, Sendable {
  /// Minimum difference in degrees between the two extreme yaws for an assessment, 15…90.
  public let smallestTurn: Float
  /// Residual of the affine fit, in eye distances, at or below which the turn is that of a plane, 0.005…1.
  public let smallestResidual: Double

  /// Returns `nil` if a value is outside its documented range.
  public init?(smallestTurn: Float = 30, smallestResidual: Double = 0.1) {
    guard (15...90).contains(smallestTurn), (0.005...1).contains(smallestResidual) else { return nil }
    self.smallestTurn = smallestTurn
    self.smallestResidual = smallestResidual
  }
}
