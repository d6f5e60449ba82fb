public import MienCore

extension TaskStateMachine {
  /// Version reported in findings; change it whenever a default of the tasks' settings changes.
  public static let version = "tasks-2"

  /// Finding of the task, or `nil` before the verdict; not assessed if no face could be evaluated.
  ///
  /// Native measures: head turn, the peak yaw in degrees; circle, the fraction of covered sectors; yes or no, motions,
  /// and blink, the number completed as requested; head path, the root mean square distance from the drawn line in
  /// radii; light, the correlation of the face's color with the shown one. Score: 0 for a failed task; 1 for a
  /// completed task, minus up to ½ for backward travel (circle), tolerated mistakes (motions), or the distance from the
  /// line as a fraction of the corridor (head path).
  public var finding: Finding? {
    if case .headTurn(let machine) = work { return machine.finding }
    switch state {
    case .issued, .tracking: return nil
    case .success: return make(score: 1 - 0.5 * deduction) { .genuine($0) }
    case .failed(let failure), .timedOut(let failure):
      return make(score: 0) { .suspect($0, because: failure.rawValue) }
    case .unavailable(let reason): return Finding(check: task.kind.rawValue, result: .notAssessed(reason))
    }
  }

  private func make(score: Double, _ result: (Finding.Measure) -> Finding.Result) -> Finding {
    let check = task.kind.rawValue
    let evidence = evidence
    guard evidence.faces > 0, let native, let score = Score(score) else {
      let obstacle: UnavailableReason = evidence.faces > 0 ? .tooFewFrames(evidence.faces) : .noFace
      return Finding(check: check, result: .notAssessed(obstacle))
    }
    let measure = Finding.Measure(native: native, score: score, calibration: Self.version)
    return Finding(check: check, result: result(measure))
  }

  /// Native measure of the task; `nil` if nothing was measured.
  var native: Double? {
    guard isSettled else { return nil }
    return switch work {
    case .taken, .headTurn: nil
    case .circle(let tracker): Double(tracker.coverage)
    case .yesOrNo(let tracker): Double(tracker.index)
    case .motions(let tracker): Double(tracker.index)
    case .blink(let tracker): Double(tracker.done)
    case .headPath(let tracker): tracker.deviation
    case .light(let tracker): tracker.measures?.correlation
    }
  }

  /// Deduction for a completed task, 0…1.
  private var deduction: Double {
    switch work {
    case .taken, .headTurn, .yesOrNo, .blink: return 0
    case .circle(let tracker): return Double(tracker.unsteadiness)
    case .motions(let tracker):
      guard case .motions(let task) = task, task.settings.forgiven > 0 else { return 0 }
      return min(Double(tracker.mistakes) / Double(task.settings.forgiven), 1)
    case .headPath(let tracker):
      guard let deviation = tracker.deviation else { return 1 }
      return min(deviation / Double(tracker.settings.corridor), 1)
    case .light(let tracker):
      guard case .light(let task) = task, let measures = tracker.measures else { return 1 }
      return min(max(1 - measures.correlation, 0) / (1 - task.settings.correlation), 1)
    }
  }
}

extension TaskStateMachine {
  /// Current prompt for the client; it is also available while the task is issued and after the verdict.
  public var prompt: TaskPrompt {
    if case .light(let tracker) = work { return .light(tracker.prompt) }
    guard isSettled || state == .issued else { return .faceCamera }
    switch work {
    case .taken: return .faceCamera
    case .headTurn(let machine):
      switch machine.state {
      // The head was turned away before the turn began: it must face the camera first.
      case .tracking(.facing), .tracking(.turningBack): return .comeBack
      case .idle, .issued, .tracking(.turningOut), .success, .failed, .timedOut: return .turn(machine.side)
      }
    case .circle(let tracker): return .circle(circle(tracker))
    case .yesOrNo(let tracker):
      guard case .yesOrNo(let task) = task else { return .faceCamera }
      guard !tracker.isReturning, tracker.index < task.questions.count else {
        return .upright(index: tracker.index, count: tracker.count)
      }
      return .question(index: tracker.index, count: tracker.count, id: task.questions[tracker.index].id)
    case .motions(let tracker): return .motion(tracker.asked, index: tracker.index, count: tracker.count)
    case .blink(let tracker): return .blink(done: tracker.done, count: tracker.asked)
    case .headPath(let tracker): return .path(path(tracker))
    case .light(let tracker): return .light(tracker.prompt)
    }
  }

  /// All requested motions in order; `nil` before the rest pose is known, and for every other task.
  public var sequence: [Motion]? {
    guard isSettled, case .motions(let tracker) = work else { return nil }
    return tracker.sequence
  }

  private func circle(_ tracker: CircleTracker) -> TaskPrompt.Circle {
    var direction: CircleTask.Direction?
    if case .completeTheCircle(let task) = task { direction = task.direction }
    let settings = tracker.settings
    return TaskPrompt.Circle(
      sectors: settings.sectors, covered: tracker.covered, direction: direction, pointer: tracker.pointer,
      minimumRadius: settings.minimumRadius, maximumRadius: settings.maximumRadius, pitchWeight: settings.pitchWeight)
  }

  private func path(_ tracker: HeadPathTracker) -> TaskPrompt.Path {
    let settings = tracker.settings
    return TaskPrompt.Path(
      target: tracker.target,
      pointer: PosePoint(
        yaw: tracker.pointer.x * settings.yawRadius, pitch: tracker.pointer.y * settings.pitchRadius),
      index: tracker.index, count: tracker.waypointCount,
      reach: PosePoint(yaw: settings.capture * settings.yawRadius, pitch: settings.capture * settings.pitchRadius))
  }
}
