import MienCore

/// Compares the signals with each other, with the score distribution of bona fide images, and across the frames of a
/// burst.
public struct CrossValidation: Sendable {
  public static let version = "2"

  public struct Settings: Codable, Hashable, Sendable {
    /// Share of bona fide images with this score below which the score counts as unusual.
    public var unusualBelow: Double
    /// Standard deviation of the texture score over a burst from which it counts as unsteady.
    public var unsteadyFrom: Double

    public init(unusualBelow: Double, unsteadyFrom: Double) {
      self.unusualBelow = unusualBelow
      self.unsteadyFrom = unsteadyFrom
    }

    public static let shipped = Settings(unusualBelow: 0.05, unsteadyFrom: 0.25)
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  /// - Parameter frameScores: texture scores of single frames of a burst; empty without one.
  func compare(_ readings: [SceneCheckResult], frameScores: [Double]) -> CrossValidationReport {
    let signals = readings.filter { $0.check != .doubleCompression }.compactMap { reading in
      reading.assessment.map { (check: reading.check, assessment: $0) }
    }
    var pairs: [CrossValidationReport.Pair] = []
    var anomalies: [CrossValidationReport.Anomaly] = []
    for (index, first) in signals.enumerated() {
      for second in signals[(index + 1)...] {
        pairs.append(
          CrossValidationReport.Pair(
            first: first.check, second: second.check,
            consistency: 1 - abs(first.assessment.measure.score.value - second.assessment.measure.score.value)))
        let verdicts = Set([first.assessment.verdict, second.assessment.verdict])
        guard verdicts == [.genuine, .suspect] else { continue }
        let isStrong = [first.check, second.check].allSatisfy { [.moire, .texture, .depth, .parallax].contains($0) }
        anomalies.append(
          CrossValidationReport.Anomaly(
            kind: .contradiction, severity: isStrong ? .high : .low, checks: [first.check, second.check]))
      }
    }
    var intervals: [CrossValidationReport.Interval] = []
    for signal in signals {
      guard let interval = BonaFideScoreDistribution.interval(signal.check, native: signal.assessment.measure.native)
      else {
        continue
      }
      intervals.append(interval)
      if interval.upper < settings.unusualBelow {
        anomalies.append(
          CrossValidationReport.Anomaly(kind: .unusualScore, severity: .medium, checks: [signal.check]))
      }
    }
    var temporal: CrossValidationReport.Temporal?
    if frameScores.count >= 3 {
      let mean = frameScores.reduce(0, +) / Double(frameScores.count)
      let variance = frameScores.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(frameScores.count)
      temporal = CrossValidationReport.Temporal(frames: frameScores.count, deviation: variance.squareRoot())
      if variance.squareRoot() >= settings.unsteadyFrom {
        anomalies.append(CrossValidationReport.Anomaly(kind: .unsteady, severity: .medium, checks: [.texture]))
      }
    }
    let status: CrossValidationReport.Status =
      signals.count < 2
      ? .notAssessed
      : anomalies.contains { $0.severity == .high } ? .fail : anomalies.isEmpty ? .pass : .warn
    return CrossValidationReport(
      status: status, pairs: pairs, intervals: intervals, temporal: temporal, anomalies: Array(anomalies.prefix(64)),
      algorithmVersion: Self.version)
  }
}
