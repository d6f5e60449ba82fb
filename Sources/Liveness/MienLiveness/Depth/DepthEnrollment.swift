/// Derives personal thresholds from several depth captures of one face.
public enum DepthEnrollment {
  /// Reason no thresholds could be derived; the raw value is a stable code.
  public enum RejectionReason: String, Hashable, Sendable, CaseIterable {
    case tooFewCaptures = "too-few-captures"
    /// A capture is below the minimum thresholds: it does not show a three-dimensional face.
    case notAFace = "not-a-face"
    /// The captures differ too much to show one face held still.
    case tooDifferentCaptures = "too-different-captures"
  }

  /// Result of an enrollment.
  public enum Outcome: Hashable, Sendable {
    case enrolled(DepthThresholds)
    case refused(RejectionReason)
  }

  /// Returns thresholds that are each `share` of the median of the captures, clamped to the configured minimum and maximum.
  public static func derive(
    from captures: [DepthMeasures], settings: DepthEnrollmentSettings = .standard
  ) -> Outcome {
    guard captures.count >= settings.minimumCaptures else { return .refused(.tooFewCaptures) }
    let least = settings.floorThresholds
    guard captures.allSatisfy({ least.shortfall(of: $0) == nil }) else { return .refused(.notAFace) }
    guard let relief = spread(captures.map(\.noseRelief)), let plane = spread(captures.map(\.planeResidual)),
      let sheet = spread(captures.map(\.sheetResidual)), let rim = spread(captures.map(\.centerToRim))
    else { return .refused(.tooFewCaptures) }
    guard [relief, plane, sheet, rim].allSatisfy({ $0.share <= settings.maximumSpread }) else {
      return .refused(.tooDifferentCaptures)
    }
    let shape = DepthThresholds.Shape(
      noseRelief: settings.share * relief.median, planeResidual: settings.share * plane.median,
      sheetResidual: settings.share * sheet.median, centerToRim: settings.share * rim.median)
    guard
      let thresholds = DepthThresholds(
        shape: settings.bounded(shape), validFraction: settings.validFraction, nearest: settings.nearest,
        farthest: settings.farthest, revision: 0)
    else { return .refused(.notAFace) }
    return .enrolled(thresholds)
  }

  private static func spread(_ values: [Double]) -> (median: Double, share: Double)? {
    let ordered = values.sorted()
    guard let low = ordered.first, let high = ordered.last else { return nil }
    let median = (ordered[(ordered.count - 1) / 2] + ordered[ordered.count / 2]) / 2
    return (median, (high - low) / median)
  }
}

extension DepthThresholds {
  /// Returns the thresholds updated after an accepted check: an exponential average with a bounded step that never leaves the configured
  /// minimum and maximum. An attacker who repeats checks can lower them to the minimum at most.
  ///
  /// Measures that miss the thresholds change nothing: only accepted checks are used.
  public func updated(with measures: DepthMeasures, _ settings: DepthEnrollmentSettings = .standard) -> DepthThresholds
  {
    guard shortfall(of: measures) == nil else { return self }
    let moved = shape.map(Shape(measures)) { old, measured in
      let wanted = settings.updateWeight * (settings.share * measured - old)
      let bound = settings.maximumUpdate * old
      return old + min(max(wanted, -bound), bound)
    }
    return DepthThresholds(
      shape: settings.bounded(moved), validFraction: validFraction, nearest: nearest, farthest: farthest,
      revision: revision + 1) ?? self
  }
}

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
    floors: DepthThresholds.Shape = .init(noseRelief: 17, planeResidual: 4, sheetResidual: 2, centerToRim: 6),
    ceilings: DepthThresholds.Shape = .init(noseRelief: 28, planeResidual: 9, sheetResidual: 3.5, centerToRim: 16),
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
