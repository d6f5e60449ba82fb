extension TaskMachine {
  /// What a client shows now; what it asks stays readable while the task is issued and after the verdict.
  public var prompt: TaskPrompt {
    guard isSettled || state == .issued else { return .faceCamera }
    switch work {
    case .taken: return .faceCamera
    case .headTurn(let machine):
      switch machine.state {
      // Turned away before the turn began: face the camera first.
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
    }
  }

  /// All motions that are asked, in their order; nil before the face has come to rest and for every other task.
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
