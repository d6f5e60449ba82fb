/// What the screen may show after an observation: nothing in it is a measure of the face.
public struct ExpressionProgress: Hashable, Sendable {
  /// How many faces there were.
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

  /// The expression that is being seen, even while the machine still waits for a neutral face.
  public var seen: FaceExpression?
  /// How much of the hold is done, 0…1; 1 in the observation that completes it.
  public var holdShare: Float = 0
  /// False while the face has to relax before an expression counts.
  public var isNeutralReached = false
  public var face = Face.noFace
}
