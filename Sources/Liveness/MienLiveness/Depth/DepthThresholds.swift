/// Personal thresholds that a depth capture must meet to pass. ``DepthEnrollment`` derives them and ``updated(with:_:)`` adjusts them,
/// within the limits of ``DepthEnrollmentSettings``.
public struct DepthThresholds: Hashable, Sendable {
  /// Four shape measures that a face must reach, mm.
  public struct Shape: Hashable, Sendable {
    public var noseRelief: Double
    public var planeResidual: Double
    public var sheetResidual: Double
    public var centerToRim: Double

    public init(noseRelief: Double, planeResidual: Double, sheetResidual: Double, centerToRim: Double) {
      self.noseRelief = noseRelief
      self.planeResidual = planeResidual
      self.sheetResidual = sheetResidual
      self.centerToRim = centerToRim
    }

    /// Copies the shape part of a capture's measures.
    public init(_ measures: DepthMeasures) {
      self.init(
        noseRelief: measures.noseRelief, planeResidual: measures.planeResidual,
        sheetResidual: measures.sheetResidual, centerToRim: measures.centerToRim)
    }

    /// Applies one operation to each of the four measures.
    func map(_ other: Shape, _ change: (Double, Double) -> Double) -> Shape {
      Shape(
        noseRelief: change(noseRelief, other.noseRelief), planeResidual: change(planeResidual, other.planeResidual),
        sheetResidual: change(sheetResidual, other.sheetResidual),
        centerToRim: change(centerToRim, other.centerToRim))
    }

    var all: [Double] { [noseRelief, planeResidual, sheetResidual, centerToRim] }
  }

  /// Version of the formula and limits; a change of either makes old thresholds incomparable.
  public static let version = "depth-gate-1"

  public let shape: Shape
  /// Minimum fraction of the face's cells that have depth, 0…1.
  public let validFraction: Double
  /// Range of distances from the camera in which the measures are valid, mm.
  public let nearest: Double
  public let farthest: Double
  /// Revision number: 0 for a new enrollment, incremented by every update.
  public let revision: Int

  /// Returns `nil` if a threshold is not finite and positive, or if the range of distances is empty.
  public init?(shape: Shape, validFraction: Double, nearest: Double, farthest: Double, revision: Int) {
    guard shape.all.allSatisfy({ $0 > 0 && $0 < 1000 }), validFraction > 0, validFraction <= 1, nearest > 0,
      farthest > nearest, farthest < 100_000, revision >= 0
    else { return nil }
    self.shape = shape
    self.validFraction = validFraction
    self.nearest = nearest
    self.farthest = farthest
    self.revision = revision
  }

  /// Version with revision, for findings.
  public var calibration: String { "\(Self.version).\(revision)" }

  /// Returns the first threshold that `measures` miss, or `nil` if all are met.
  public func shortfall(of measures: DepthMeasures) -> DepthFailureReason? {
    // The comparisons are negated so that NaN counts as a miss.
    if !(measures.distance >= nearest && measures.distance <= farthest) { return .outOfRange }
    if !(measures.validFraction >= validFraction) { return .tooLittleValidDepth }
    if !(measures.planeResidual >= shape.planeResidual) { return .flat }
    if !(measures.sheetResidual >= shape.sheetResidual) { return .bentSheet }
    if !(measures.noseRelief >= shape.noseRelief) { return .lowRelief }
    if !(measures.centerToRim >= shape.centerToRim) { return .lowCenter }
    return nil
  }

  /// Returns the smallest shape measure as a multiple of its threshold: 1 just meets all of them.
  public func margin(of measures: DepthMeasures) -> Double {
    let ratios = Shape(measures).map(shape) { $0 / $1 }
    return ratios.all.reduce(.infinity, min)
  }
}

extension DepthThresholds: CustomStringConvertible, CustomReflectable {
  public var description: String { "DepthThresholds(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DepthThresholds.Shape: CustomStringConvertible, CustomReflectable {
  public var description: String { "Shape(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Reference data for the depth gate of one check.
public enum DepthReference: Hashable, Sendable {
  /// The source provides no depth.
  case noDepth
  /// The source provides depth, but the subject has no personal thresholds.
  case notEnrolled
  case enrolled(DepthThresholds)
}
