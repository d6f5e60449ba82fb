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
      let sheet = spread(captures.map(\.sheetResidual)), let rim = spread(captures.map(\.centreToRim))
    else { return .refused(.tooFewCaptures) }
    guard [relief, plane, sheet, rim].allSatisfy({ $0.share <= settings.maximumSpread }) else {
      return .refused(.tooDifferentCaptures)
    }
    let shape = DepthThresholds.Shape(
      noseRelief: settings.share * relief.median, planeResidual: settings.share * plane.median,
      sheetResidual: settings.share * sheet.median, centreToRim: settings.share * rim.median)
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
