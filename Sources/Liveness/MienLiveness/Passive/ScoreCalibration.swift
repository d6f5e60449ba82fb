import MienCore

/// Maps a native measure to a score by two straight lines: 1 up to `calm`, ½ at `threshold`, 0 from `worst` on.
///
/// The three numbers rise when large values are suspect and fall when small ones are.
struct ScoreCalibration: Hashable, Sendable {
  let calm: Double
  let threshold: Double
  let worst: Double

  /// True when the measure is at the threshold or on its suspect side.
  func isSuspect(_ native: Double) -> Bool { worst > calm ? native >= threshold : native <= threshold }

  /// The finding for a measure; a measure that is not a number makes no finding but the obstacle.
  func finding(_ check: String, _ native: Double, because reason: String, version: String, frames: Int) -> Finding {
    let outward = (native - threshold) / (worst - threshold)
    let inward = (native - threshold) / (calm - threshold)
    let value = isSuspect(native) ? 0.5 - 0.5 * min(outward, 1) : 0.5 + 0.5 * min(inward, 1)
    guard native.isFinite, let score = Score(value) else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(frames)))
    }
    let measure = Finding.Measure(native: native, score: score, calibration: version)
    return Finding(check: check, result: isSuspect(native) ? .suspect(measure, because: reason) : .genuine(measure))
  }
}
