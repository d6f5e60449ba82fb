/// Makes a person's own thresholds from several depth captures of their face.
public enum DepthEnrollment {
  /// Why there are no thresholds; the raw value is a stable code.
  public enum RejectionReason: String, Hashable, Sendable, CaseIterable {
    case tooFewCaptures = "too-few-captures"
    /// A capture misses even the floors: it does not show a face in space.
    case notAFace = "not-a-face"
    /// The captures differ so much that they cannot be of one face held still.
    case tooDifferentCaptures = "too-different-captures"
  }

  /// What an enrolment came to.
  public enum Outcome: Hashable, Sendable {
    case enrolled(DepthThresholds)
    case refused(RejectionReason)
  }

  /// Each threshold is `share` of the captures' median, kept between its floor and its ceiling.
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
  /// The thresholds after an accepted check: an exponential average whose single step is bounded and which never
  /// leaves floors and ceilings, so that a patient attacker can wear them down to the floors at most.
  ///
  /// Measures that miss the thresholds change nothing: only accepted checks teach.
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
