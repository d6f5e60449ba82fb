import MienCore

/// Decides whether the mesh model's tongue score is reliable.
///
/// The score also rises to about 1 when a hand covers the mouth. A visible tongue requires an open mouth: a high score
/// with a closed mouth counts as not measured, which is different from no tongue.
public struct TongueOutFilter: Hashable, Sendable {
  /// Scores up to this value are always accepted: no tongue is visible.
  public var believed: Float = 0.2
  /// Minimum opening between the inner lips, as a fraction of the mouth's width.
  public var opening: Float = 0.12
  /// Minimum `jawOpen`, 0…1.
  public var jawOpen: Float = 0.12

  public init() {}

  /// Returns the tongue coefficient, or `nil` if it cannot be determined; `points` in pixels.
  func tongueOut(score: Float, jawOpen: Float?, points: [SIMD3<Float>]) -> Float? {
    let score = min(max(score, 0), 1)
    guard score > believed else { return score }
    guard let jawOpen, jawOpen >= self.jawOpen, Self.opening(points) >= opening else { return nil }
    return score
  }

  /// Returns the distance of the inner lips (13, 14) divided by the distance of the inner corners (78, 308).
  static func opening(_ points: [SIMD3<Float>]) -> Float {
    let lips = points[14] - points[13]
    let corners = points[308] - points[78]
    return (lips * lips).sum().squareRoot() / max((corners * corners).sum().squareRoot(), 1e-6)
  }
}
