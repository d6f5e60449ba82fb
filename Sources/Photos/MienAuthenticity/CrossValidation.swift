internal import MienCore

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
      reading.assessment.map { (check: reading.check, version: reading.version, assessment: $0) }
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
      guard
        let interval = BonaFideScoreDistribution.interval(
          signal.check, version: signal.version, native: signal.assessment.measure.native)
      else { continue }
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

/// Consistency of the signals.
public struct CrossValidationReport: Hashable, Sendable {
  public var status: Status
  public var pairs: [Pair]
  public var intervals: [Interval]
  /// Stability of the texture score over a burst; nil without one.
  public var temporal: Temporal?
  public var anomalies: [Anomaly]
  public var algorithmVersion: String

  public enum Status: String, Codable, Hashable, Sendable {
    case pass, warn, fail
    /// Fewer than two signals, so there is nothing to compare.
    case notAssessed = "not_assessed"
  }

  /// Comparison of two signals.
  public struct Pair: Codable, Hashable, Sendable {
    public var first: CheckName
    public var second: CheckName
    /// 1 minus the distance of the two scores, 0…1.
    public var consistency: Double

    public init(first: CheckName, second: CheckName, consistency: Double) {
      self.first = first
      self.second = second
      self.consistency = consistency
    }
  }

  /// Share of bona fide images in the evaluation with this or a lower score, as a 95 % interval.
  public struct Interval: Codable, Hashable, Sendable {
    public var check: CheckName
    public var lower: Double
    public var upper: Double

    public init(check: CheckName, lower: Double, upper: Double) {
      self.check = check
      self.lower = lower
      self.upper = upper
    }
  }

  /// Texture score over the frames of a burst.
  public struct Temporal: Codable, Hashable, Sendable {
    /// Number of frames with a score; the first, the middle and the last frame are evaluated.
    public var frames: Int
    /// Standard deviation of the texture score over these frames.
    public var deviation: Double

    public init(frames: Int, deviation: Double) {
      self.frames = frames
      self.deviation = deviation
    }
  }

  /// An inconsistency.
  public struct Anomaly: Codable, Hashable, Sendable {
    public var kind: Kind
    public var severity: Severity
    /// Signals in which it was found.
    public var checks: [CheckName]

    public enum Kind: String, Codable, Hashable, Sendable {
      /// One signal is genuine, another suspect.
      case contradiction
      /// Score that few bona fide images have.
      case unusualScore = "unusual_score"
      /// Scores vary between frames of one burst.
      case unsteady
    }

    public enum Severity: String, Codable, Hashable, Sendable { case low, medium, high }

    public init(kind: Kind, severity: Severity, checks: [CheckName]) {
      self.kind = kind
      self.severity = severity
      self.checks = checks
    }
  }

  public init(
    status: Status, pairs: [Pair], intervals: [Interval], temporal: Temporal?, anomalies: [Anomaly],
    algorithmVersion: String
  ) {
    self.status = status
    self.pairs = pairs
    self.intervals = intervals
    self.temporal = temporal
    self.anomalies = anomalies
    self.algorithmVersion = algorithmVersion
  }
}

extension CrossValidationReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case anomalies
    case status = "validation_status"
    case pairs = "pairwise_consistencies"
    case intervals = "confidence_intervals"
    case temporal = "temporal_consistency"
    case algorithmVersion = "algorithm_version"
  }

  /// Omits pairs, intervals, anomalies and a temporal consistency that do not match this schema, because other programs
  /// define their own. Throws for an unknown status.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    status = try box.decode(Status.self, forKey: .status)
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
    pairs = try box.shortList(of: Lenient<Pair>.self, forKey: .pairs).compactMap(\.value)
    anomalies = try box.shortList(of: Lenient<Anomaly>.self, forKey: .anomalies).compactMap(\.value)
    temporal = try box.decodeIfPresent(Lenient<Temporal>.self, forKey: .temporal)?.value
    // The original application stores an object here, keyed by signal.
    intervals =
      (try? box.nestedUnkeyedContainer(forKey: .intervals)) == nil
      ? [] : try box.shortList(of: Lenient<Interval>.self, forKey: .intervals).compactMap(\.value)
  }

  /// Decodes an element that matches this schema; any other one becomes nil instead of an error.
  private struct Lenient<Value: Decodable>: Decodable {
    let value: Value?
    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
  }
}
