/// Progress for display after an observation. It contains no biometric measurements.
public struct ExpressionProgress: Hashable, Sendable {
  /// Face presence in the observation.
  public enum Face: String, Hashable, Sendable, CaseIterable {
    case oneFace = "one-face"
    case noFace = "no-face"
    case severalFaces = "several-faces"

    init(_ sight: ExpressionSample.Sight) {
      self =
        switch sight {
        case .face: .oneFace
        case .noFace: .noFace
        case .severalFaces: .severalFaces
        }
    }
  }

  /// Visible expression, even while the detector still waits for a neutral face.
  public var seen: FaceExpression?
  /// Elapsed fraction of the hold time, 0…1; 1 in the observation that completes it.
  public var holdShare: Float = 0
  /// `false` while the face must return to neutral before an expression counts.
  public var isNeutralReached = false
  public var face = Face.noFace
}
