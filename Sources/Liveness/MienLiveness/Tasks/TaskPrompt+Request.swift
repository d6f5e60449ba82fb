extension TaskPrompt {
  /// `true` if a person has to react to the prompt with another movement than before: not while nothing is asked for, nor for the
  /// colors of the screen.
  var asksForMovement: Bool {
    switch self {
    case .turn, .circle, .question, .blink, .path: true
    case .motion(let motion, _, _): motion != nil
    case .faceCamera, .comeBack, .upright, .light: false
    }
  }

  /// Reports whether both prompts ask for the same movement, whatever the progress.
  func asksForTheSame(as other: TaskPrompt) -> Bool {
    switch (self, other) {
    case (.turn(let side), .turn(let last)): side == last
    case (.circle, .circle): true
    case (.question(let index, _, _), .question(let last, _, _)): index == last
    case (.motion(let motion, let index, _), .motion(let last, let lastIndex, _)): motion == last && index == lastIndex
    case (.blink(let done, _), .blink(let last, _)): done == last
    case (.path(let path), .path(let last)): path.index == last.index
    default: false
    }
  }
}

extension CheckStateMachine {
  /// Movement that the check asks for now; `nil` if none.
  public var request: TaskPrompt? {
    guard state == .tracking, let prompt, prompt.asksForMovement else { return nil }
    return prompt
  }

  /// Reports whether the check asks for another movement than it did in an earlier state.
  public func asksAnew(since earlier: TaskPrompt?) -> Bool {
    guard let request else { return false }
    return earlier.map { !request.asksForTheSame(as: $0) } ?? true
  }
}
