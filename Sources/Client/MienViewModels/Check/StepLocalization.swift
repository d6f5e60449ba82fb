internal import MienClient
internal import MienCore
internal import MienAPI

/// Text keys of a step, chosen as on the web pages (`Web/assets/core/step-text.js`).
enum StepLocalization {
  static func told(_ step: LivenessStep) -> LocalizedText {
    if let task = step.task, task.kind != "head-turn", step.phase != .positioning, !general.contains(step.instruction) {
      return told(task)
    }
    let plain = "instruction.\(step.instruction)"
    guard let side = step.side, sided.contains(step.instruction) else { return LocalizedText(plain) }
    return LocalizedText("\(plain).\(side.rawValue)")
  }

  private static func told(_ task: TaskResponse) -> LocalizedText {
    let plain = "instruction.\(task.kind)"
    switch task.kind {
    case "complete-the-circle":
      guard let direction = task.prompt.direction, direction != "any" else { return LocalizedText(plain) }
      return LocalizedText("\(plain).\(direction)")
    // Between two questions the head returns to the upright position.
    case "yes-or-no": return task.prompt.question.map(LocalizedText.own) ?? LocalizedText("hint.upright")
    case "motions": return LocalizedText(task.prompt.next.map { "\(plain).\($0)" } ?? "check.starting")
    case "blink", "head-path": return LocalizedText(plain)
    default: return LocalizedText("instruction.follow")
    }
  }

  /// Instructions with the same text in every task.
  private static let general: Set<String> = ["position-face", "hold-still", "come-back", "done"]
  /// Instructions with a separate text for each side.
  private static let sided: Set<String> = ["turn", "get-ready"]
}
