/// Contrast of the eyes and the mouth in a frame, by which a covered face is recognized: a hand, a mask or dark glasses have less
/// structure than what they cover, or structure in other directions.
public struct FaceContrast: Hashable, Sendable {
  /// Mean gradient of the luma around each eye, the greater of the two, in units of the skin's luma per ¹⁄₂₄ of the distance between the
  /// eyes.
  public let eyes: Float
  /// The same around the mouth.
  public let mouth: Float
  /// The part of ``mouth`` across the lips.
  public let acrossMouth: Float
  /// Difference of the chroma Cr (ITU-R BT.601) between the lips and the skin around them, −255…255.
  public let lipRedness: Float

  public init(eyes: Float, mouth: Float, acrossMouth: Float, lipRedness: Float) {
    self.eyes = eyes
    self.mouth = mouth
    self.acrossMouth = acrossMouth
    self.lipRedness = lipRedness
  }
}

extension FaceContrast: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceContrast(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
