/// Settings for deriving thresholds from a subject's captures, including their minimum and maximum.
///
/// Documentation/reference/DepthGate.md lists the measurements behind the limits. The initializer validates every value.
public struct DepthEnrollmentSettings: Hashable, Sendable {
  /// Minimum number of captures of an enrollment, 2…100.
  public let minimumCaptures: Int
  /// Threshold as a fraction of the subject's median measure, 0.2…0.95.
  public let share: Double
  /// Maximum difference between captures, as a fraction of their median, in each shape measure, 0.1…2.
  public let maximumSpread: Double
  /// Minimum of each threshold: boards, screens and bent sheets measure less.
  public let floors: DepthThresholds.Shape
  /// Maximum of each threshold, so that one unusual enrollment cannot lock a subject out.
  public let ceilings: DepthThresholds.Shape
  /// Minimum fraction of the face's cells that have depth. Above 0, up to 1.
  public let validFraction: Double
  /// Range of distances, mm.
  public let nearest: Double
  public let farthest: Double
  /// Weight of one accepted check in the exponential average, 0…0.5; 0 disables updates.
  public let updateWeight: Double
  /// Maximum change per update, as a fraction of the threshold, 0…0.2.
  public let maximumUpdate: Double

  /// Returns `nil` if a value is outside its documented range, or if a minimum is above its maximum.
  public init?(
    minimumCaptures: Int = 3, share: Double = 0.6, maximumSpread: Double = 0.6,
    floors: DepthThresholds.Shape = .init(noseRelief: 17, planeResidual: 4, sheetResidual: 2, centreToRim: 6),
    ceilings: DepthThresholds.Shape = .init(noseRelief: 28, planeResidual: 9, sheetResidual: 3.5, centreToRim: 16),
    validFraction: Double = 0.6, nearest: Double = 150, farthest: Double = 1200, updateWeight: Double = 0.05,
    maximumUpdate: Double = 0.02
  ) {
    guard (2...100).contains(minimumCaptures), (0.2...0.95).contains(share), (0.1...2).contains(maximumSpread),
      floors.all.allSatisfy({ $0 > 0 }), zip(floors.all, ceilings.all).allSatisfy({ $0 <= $1 && $1 < 1000 }),
      validFraction > 0, validFraction <= 1, nearest > 0, farthest > nearest, farthest < 100_000,
      (0...0.5).contains(updateWeight), (0...0.2).contains(maximumUpdate)
    else { return nil }
    self.minimumCaptures = minimumCaptures
    self.share = share
    self.maximumSpread = maximumSpread
    self.floors = floors
    self.ceilings = ceilings
    self.validFraction = validFraction
    self.nearest = nearest
    self.farthest = farthest
    self.updateWeight = updateWeight
    self.maximumUpdate = maximumUpdate
  }

  /// Default settings.
  public static let standard: DepthEnrollmentSettings = {
    guard let settings = DepthEnrollmentSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()

  /// Minimum thresholds that every face must meet.
  public var floorThresholds: DepthThresholds {
    guard
      let thresholds = DepthThresholds(
        shape: floors, validFraction: validFraction, nearest: nearest, farthest: farthest, revision: 0)
    else { preconditionFailure("settings hold only what thresholds accept") }
    return thresholds
  }

  func bounded(_ shape: DepthThresholds.Shape) -> DepthThresholds.Shape {
    shape.map(floors, max).map(ceilings, min)
  }
}
