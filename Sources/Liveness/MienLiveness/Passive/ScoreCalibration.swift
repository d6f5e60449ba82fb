import MienCore

/// Piecewise linear map from a native measure to a score: 1 up to `calm`, ½ at `threshold`, 0 from `worst` on.
///
/// The three numbers increase if large values are suspect and decrease if small values are.
struct ScoreCalibration: Hashable, Sendable {
  let calm: Double
  let threshold: Double
  let worst: Double

  /// Reports whether the measure is at the threshold or on its suspect side.
  func isSuspect(_ native: Double) -> Bool { worst > calm ? native >= threshold : native <= threshold }

  /// Returns the finding for a measure. A measure that is not finite results in "not assessed".
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
