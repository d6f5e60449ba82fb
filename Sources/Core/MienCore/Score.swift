/// A calibrated score in 0…1, where 1 is the strongest sign of a bona fide presentation.
public struct Score: Hashable, Comparable, Sendable {
  public let value: Double

  /// Returns `nil` for NaN and values outside 0…1: a missing measure is never a score.
  public init?(_ value: Double) {
    guard value >= 0, value <= 1 else { return nil }
    self.value = value
  }

  public static func < (left: Score, right: Score) -> Bool { left.value < right.value }
}
