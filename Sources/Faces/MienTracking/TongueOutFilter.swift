import MienCore

/// Decides whether the mesh model's tongue score can be believed.
///
/// The score also rises to about 1 when a hand covers the mouth. A tongue needs an open mouth: a high score over a mouth
/// that is not open is not measured, which is not the same as no tongue.
public struct TongueOutFilter: Hashable, Sendable {
  /// Scores up to this are believed in any case: there is no tongue to be seen.
  public var believed: Float = 0.2
  /// Least opening between the inner lips, as a share of the mouth's width.
  public var opening: Float = 0.12
  /// Least `jawOpen`, 0…1.
  public var jawOpen: Float = 0.12

  public init() {}

  /// The tongue's coefficient, or nil when it cannot be told; `points` in pixels.
  func tongueOut(score: Float, jawOpen: Float?, points: [SIMD3<Float>]) -> Float? {
    let score = min(max(score, 0), 1)
    guard score > believed else { return score }
    guard let jawOpen, jawOpen >= self.jawOpen, Self.opening(points) >= opening else { return nil }
    return score
  }

  /// Distance of the inner lips (13, 14) over the distance of the inner corners (78, 308).
  static func opening(_ points: [SIMD3<Float>]) -> Float {
    let lips = points[14] - points[13]
    let corners = points[308] - points[78]
    return (lips * lips).sum().squareRoot() / max((corners * corners).sum().squareRoot(), 1e-6)
  }
}
