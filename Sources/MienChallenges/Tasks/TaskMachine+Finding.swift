public import MienModel

extension TaskMachine {
  /// A version for findings; change it whenever a default of the tasks' settings changes.
  public static let version = "tasks-2"

  /// What the task showed, or nil before the verdict; not assessed when no face could be judged.
  ///
  /// Native measures: head turn, the peak yaw in degrees; circle, the share of sectors gone through; yes or no, motions
  /// and blink, how many were done as asked; head path, the root mean square distance from the drawn line in radii.
  /// Score: 0 for a task that failed; 1 for one that was done, less up to ½ for backward travel (circle), forgiven
  /// mistakes (motions) and distance from the line as a share of the corridor (head path).
  public var finding: Finding? {
    if case .headTurn(let machine) = work { return machine.finding }
    switch state {
    case .issued, .tracking: return nil
    case .success: return make(score: 1 - 0.5 * blemish) { .genuine($0) }
    case .failed(let failure), .timedOut(let failure):
      return make(score: 0) { .suspect($0, because: failure.rawValue) }
    }
  }

  private func make(score: Double, _ result: (Finding.Measure) -> Finding.Result) -> Finding {
    let check = task.kind.rawValue
    let evidence = evidence
    guard evidence.faces > 0, let native, let score = Score(score) else {
      let obstacle: Obstacle = evidence.faces > 0 ? .tooFewFrames(evidence.faces) : .noFace
      return Finding(check: check, result: .notAssessed(obstacle))
    }
    let measure = Finding.Measure(native: native, score: score, calibration: Self.version)
    return Finding(check: check, result: result(measure))
  }

  /// The task's own measure; nil when nothing was measured.
  var native: Double? {
    guard isSettled else { return nil }
    return switch work {
    case .taken, .headTurn: nil
    case .circle(let tracker): Double(tracker.coverage)
    case .yesOrNo(let tracker): Double(tracker.index)
    case .motions(let tracker): Double(tracker.index)
    case .blink(let tracker): Double(tracker.done)
    case .headPath(let tracker): tracker.deviation
    }
  }

  /// What there is to say against a task that was done, 0…1.
  private var blemish: Double {
    switch work {
    case .taken, .headTurn, .yesOrNo, .blink: return 0
    case .circle(let tracker): return Double(tracker.unsteadiness)
    case .motions(let tracker):
      guard case .motions(let task) = task, task.settings.forgiven > 0 else { return 0 }
      return min(Double(tracker.mistakes) / Double(task.settings.forgiven), 1)
    case .headPath(let tracker):
      guard let deviation = tracker.deviation else { return 1 }
      return min(deviation / Double(tracker.settings.corridor), 1)
    }
  }
}
