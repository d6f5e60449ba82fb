public import MienAPI

extension TaskProperties {
  /// Task in the format of `POST /v1/checks`. Invalid values are sent unchanged, so that the server reports the
  /// problem.
  public var request: TaskRequest {
    var request = task.request
    if let timeout { request.timeout = Self.milliseconds(timeout) }
    return request
  }

  /// Rounds to whole milliseconds. Non-finite values become −1, which the server rejects.
  fileprivate static func milliseconds(_ timeout: Double) -> Int {
    guard timeout.isFinite else { return -1 }
    return Int(min(max(timeout, -1e12), 1e12).rounded())
  }
}

extension LivenessTask {
  fileprivate var request: TaskRequest {
    switch self {
    case .completeTheCircle(let task):
      TaskRequest(kind: "complete-the-circle", difficulty: task.difficulty.rawValue, timeout: time(task.timeout))
    case .yesOrNo(let task):
      TaskRequest(
        kind: "yes-or-no", difficulty: task.difficulty.rawValue, timeout: time(task.timeout),
        questions: task.questions?.map {
          TaskRequest.Question(question: $0.question, answer: $0.answer, errorMessage: $0.errorMessage)
        })
    case .motions(let task):
      TaskRequest(
        kind: "motions", difficulty: task.difficulty.rawValue, timeout: time(task.timeout), maxNods: task.maxNods,
        maxBlinks: task.maxBlinks)
    case .blink(let task):
      TaskRequest(
        kind: "blink", difficulty: task.difficulty.rawValue, timeout: time(task.timeout), maxBlinks: task.maxBlinks)
    case .headTurn(let difficulty): TaskRequest(kind: "head-turn", difficulty: difficulty.rawValue)
    case .headPath(let difficulty): TaskRequest(kind: "head-path", difficulty: difficulty.rawValue)
    }
  }

  private func time(_ timeout: Double?) -> Int? { timeout.map(TaskProperties.milliseconds) }
}
