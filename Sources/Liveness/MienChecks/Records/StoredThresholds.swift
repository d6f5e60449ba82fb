public import MienLiveness

/// The column format of depth thresholds.
public struct StoredThresholds: Codable {
  /// Version of the formula of the measures.
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

  /// The stored thresholds; `nil` if they are implausible.
  public var thresholds: DepthThresholds? {
    DepthThresholds(
      shape: DepthThresholds.Shape(
        noseRelief: noseRelief, planeResidual: planeResidual, sheetResidual: sheetResidual, centreToRim: centreToRim),
      validFraction: validFraction, nearest: nearest, farthest: farthest, revision: revision)
  }
}
