public import MienCore

extension HeadTurnStateMachine {
  /// What the turn showed, or nil before the verdict; not assessed when no face was ever seen.
  ///
  /// Native measure: the peak yaw in degrees towards the asked side. Score: 1 for a turn without wrong-way travel, falling
  /// to ½ where the tolerance ends; 0 for a turn that failed.
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
