/// How thresholds are derived from a person's captures, and between which limits they stay.
///
/// Documentation/DepthGate.md tells from which figures the limits come. A value of this type is always sensible: the
/// initialiser refuses nonsense.
public struct DepthEnrollmentSettings: Hashable, Sendable {
  /// Captures an enrolment needs at least. 2…100.
  public let minimumCaptures: Int
  /// A threshold is this share of the person's median measure. 0.2…0.95.
  public let share: Double
  /// The largest difference between captures, as a share of their median, in each shape measure. 0.1…2.
  public let maximumSpread: Double
  /// No threshold is ever lower: below are boards, screens and bent sheets.
  public let floors: DepthThresholds.Shape
  /// No threshold is ever higher, so that one odd enrolment locks nobody out.
  public let ceilings: DepthThresholds.Shape
  /// Share of the face's cells that must have a depth. Above 0, up to 1.
  public let validFraction: Double
  /// Range of distances, mm.
  public let nearest: Double
  public let farthest: Double
  /// How far one accepted check moves the thresholds towards what it measured: the weight of the exponential average.
  /// 0…0.5; 0 never updates.
  public let updateWeight: Double
  /// The largest move of one update, as a share of the threshold. 0…0.2.
  public let maximumUpdate: Double

  /// Refuses (nil) values outside the ranges that the properties document, or a floor above its ceiling.
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

  /// The defaults.
  public static let standard: DepthEnrollmentSettings = {
    guard let settings = DepthEnrollmentSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()

  /// The floors as thresholds: the least that any face must show.
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
