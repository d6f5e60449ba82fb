internal import MienCore

/// Detects faces on screens and prints by the pixels of whole frames: averages the frames' scores over the session.
///
/// A single frame says little; errors of one frame are shared by its neighbors, but the person, the light and the
/// background change a little over a session.
struct ScreenOrPrintDetector: Sendable {
  private let settings: ScreenOrPrintSettings
  private var scored = 0
  private var sum = 0.0
  private var tooSmall = 0
  private var tooCompressed = 0

  init(_ settings: ScreenOrPrintSettings) { self.settings = settings }

  /// Processes the reading of a frame with exactly one face.
  mutating func process(_ reading: RecaptureReading?) {
    switch reading {
    case .score(let score) where score.isFinite:
      scored += 1
      sum += Double(min(max(score, -settings.largestScore), settings.largestScore))
    case .tooSmall: tooSmall += 1
    case .tooCompressed: tooCompressed += 1
    case .score, nil: return
    }
  }

  /// Finding of the detector. Native measure: the mean score of the frames, in log-odds.
  var finding: Finding {
    let check = "screen-or-print"
    guard scored >= settings.minimumFrames, scored >= tooSmall + tooCompressed else {
      let reason: UnavailableReason =
        scored >= tooSmall + tooCompressed
        ? .tooFewFrames(scored) : tooSmall >= tooCompressed ? .imageTooSmall : .imageTooCompressed
      return Finding(check: check, result: .notAssessed(reason))
    }
    return ScoreCalibration(calm: settings.calm, threshold: settings.threshold, worst: settings.worst).finding(
      check, sum / Double(scored), because: "looks-recaptured", version: PassiveSettings.version, frames: scored)
  }
}

extension ScreenOrPrintDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&scored)
    coder.pass(&sum)
    coder.pass(&tooSmall)
    coder.pass(&tooCompressed)
    coder.require(scored >= 0 && tooSmall >= 0 && tooCompressed >= 0 && sum.isFinite)
  }
}

/// Settings for detecting faces on screens and prints. The initializer validates every value.
public struct ScreenOrPrintSettings: Hashable, Sendable {
  /// Mean score of a session from which it looks like a screen or print, in log-odds, between `calm` and `worst`.
  public let threshold: Double
  /// Mean score of a clearly genuine and of a clearly suspect session, in log-odds.
  public let calm: Double
  public let worst: Double
  /// Largest absolute score of one frame, 0.5…10.
  public let largestScore: Float
  /// Minimum number of scored frames for an assessment, 4…1000.
  public let minimumFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    threshold: Double = 0.5, calm: Double = -0.5, worst: Double = 1.5, largestScore: Float = 3, minimumFrames: Int = 8
  ) {
    guard calm < threshold, threshold < worst, calm >= -10, worst <= 10, (0.5...10).contains(largestScore),
      (4...1000).contains(minimumFrames)
    else { return nil }
    self.threshold = threshold
    self.calm = calm
    self.worst = worst
    self.largestScore = largestScore
    self.minimumFrames = minimumFrames
  }
}
