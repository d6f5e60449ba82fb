public import MienCore

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
