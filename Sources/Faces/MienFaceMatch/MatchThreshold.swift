public import MienCore

/// Minimum similarity at which two faces count as those of the same person, with the error rates that were measured at
/// it.
public struct MatchThreshold: Hashable, Sendable {
  public let value: Float
  /// Measured rate of different people who match (false match rate), 0…1.
  public let falseMatchRate: Double
  /// Measured rate of one person's pictures that do not match (false non-match rate), 0…1.
  public let falseNonMatchRate: Double

  /// The published threshold of SFace for cosine similarity, with the error rates of 280 labeled pairs
  /// (Documentation/reports/FaceMatch.md): 1 false match in 140, no false non-match in 140.
  public static let standard = MatchThreshold(
    value: 0.363, falseMatchRate: 1.0 / 140, falseNonMatchRate: 0)

  public init(value: Float, falseMatchRate: Double, falseNonMatchRate: Double) {
    self.value = value
    self.falseMatchRate = falseMatchRate
    self.falseNonMatchRate = falseNonMatchRate
  }

  /// ``value`` as it is published, with three decimals.
  public var published: Double { (Double(value) * 1000).rounded() / 1000 }

  public func isMatch(_ similarity: Float) -> Bool { similarity >= value }

  /// Returns a similarity as a percentage of the AWS-compatible API, where 80 is the default threshold: 0 and below is
  /// 0, the threshold is 80, and 0.8 and above is 100, with straight lines between them.
  public func percentage(_ similarity: Float) -> Float {
    let top: Float = 0.8
    if similarity <= 0 { return 0 }
    if similarity < value { return 80 * similarity / value }
    return min(80 + 20 * (similarity - value) / (top - value), 100)
  }
}

/// Similarity of the best frames of a check to a reference.
public enum MatchSeries {
  /// Minimum number of frames.
  public static let least = 3

  /// Returns the median similarity; `nil` for fewer than ``least`` frames.
  public static func similarity(of frames: [FaceTemplate], to reference: FaceTemplate) -> Float? {
    guard frames.count >= least else { return nil }
    let sorted = frames.map { $0.similarity(to: reference) }.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

/// A finding about the comparison of a check's face with a reference.
public enum ReferenceMatch {
  public static let check = "face-match"
  /// Reason of a finding below the threshold.
  public static let reason = "other-person"

  /// Returns the finding for the best frames of a check that passed.
  public static func finding(
    of frames: [FaceTemplate], against reference: FaceTemplate, threshold: MatchThreshold
  ) -> Finding {
    guard let similarity = MatchSeries.similarity(of: frames, to: reference),
      let score = Score(Double(max(0, similarity)))
    else { return Finding(check: check, result: .notAssessed(.tooFewFrames(frames.count))) }
    let measure = Finding.Measure(
      native: Double(similarity), score: score, calibration: "\(FaceTemplate.model) \(threshold.value)")
    return Finding(
      check: check,
      result: threshold.isMatch(similarity) ? .genuine(measure) : .suspect(measure, because: reason))
  }

  /// Returns the finding of a check that did not pass: its face is not compared.
  public static var notLive: Finding { Finding(check: check, result: .notAssessed(.notLive)) }

  /// Returns the finding of a check whose subject declined the comparison.
  public static var declined: Finding { Finding(check: check, result: .notAssessed(.declined)) }
}
