public import MienLiveness

/// Depth thresholds as a column holds them.
public struct StoredThresholds: Codable {
  /// The version of the formula behind the measures.
  public let formula: String
  private let noseRelief: Double
  private let planeResidual: Double
  private let sheetResidual: Double
  private let centreToRim: Double
  private let validFraction: Double
  private let nearest: Double
  private let farthest: Double
  private let revision: Int

  public init(_ thresholds: DepthThresholds) {
    formula = DepthThresholds.version
    noseRelief = thresholds.shape.noseRelief
    planeResidual = thresholds.shape.planeResidual
    sheetResidual = thresholds.shape.sheetResidual
    centreToRim = thresholds.shape.centreToRim
    validFraction = thresholds.validFraction
    nearest = thresholds.nearest
    farthest = thresholds.farthest
    revision = thresholds.revision
  }

  /// What is stored, where it is plausible; nil otherwise.
  public var thresholds: DepthThresholds? {
    DepthThresholds(
      shape: DepthThresholds.Shape(
        noseRelief: noseRelief, planeResidual: planeResidual, sheetResidual: sheetResidual, centreToRim: centreToRim),
      validFraction: validFraction, nearest: nearest, farthest: farthest, revision: revision)
  }
}
