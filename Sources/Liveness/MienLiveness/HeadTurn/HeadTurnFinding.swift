public import MienCore

extension HeadTurnStateMachine {
  /// Finding of the turn, or `nil` before the verdict; not assessed if no face was ever seen.
  ///
  /// Native measure: peak yaw in degrees toward the requested side. Score: 1 for a turn without wrong-way travel, decreasing to ½ at the
  /// limit of the tolerance; 0 for a failed turn.
  public var finding: Finding? {
    switch state {
    case .idle, .issued, .tracking: nil
    case .success: make { .genuine($0) }
    case .failed(let failure), .timedOut(let failure): make { .suspect($0, because: failure.rawValue) }
    }
  }

  private func make(_ result: (Finding.Measure) -> Finding.Result) -> Finding {
    let evidence = evidence
    let score = state == .success ? 1 - 0.5 * Double(min(evidence.unsteadiness, 1)) : 0
    guard let peak = evidence.peakYaw, let score = Score(score) else {
      return Finding(check: "head-turn", result: .notAssessed(.noFace))
    }
    return Finding(
      check: "head-turn",
      result: result(
        Finding.Measure(
          native: Double(peak * side.yawSign), score: score, calibration: HeadTurnSettings.version)))
  }
}
