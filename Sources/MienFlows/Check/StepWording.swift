internal import MienClient
internal import MienModel
internal import MienWire

/// The words of a step, as the pages choose them (`Web/assets/core/wording.js`).
enum StepWording {
  static func told(_ step: LivenessStep) -> FlowText {
    if let task = step.task, task.kind != "head-turn", step.phase != .positioning, !general.contains(step.instruction) {
      return told(task)
    }
    let plain = "instruction.\(step.instruction)"
    guard let side = step.side, sided.contains(step.instruction) else { return FlowText(plain) }
    return FlowText("\(plain).\(side.rawValue)")
  }

  private static func told(_ task: TaskReply) -> FlowText {
    let plain = "instruction.\(task.kind)"
    switch task.kind {
    case "complete-the-circle":
      guard let direction = task.prompt.direction, direction != "any" else { return FlowText(plain) }
      return FlowText("\(plain).\(direction)")
    // Between two questions the head comes back.
    case "yes-or-no": return task.prompt.question.map(FlowText.own) ?? FlowText("hint.upright")
    case "motions": return FlowText(task.prompt.next.map { "\(plain).\($0)" } ?? "check.starting")
    case "blink", "head-path": return FlowText(plain)
    default: return FlowText("instruction.follow")
    }
  }

  /// Instructions that say the same in every task.
  private static let general: Set<String> = ["position-face", "hold-still", "come-back", "done"]
  /// Instructions that have words for either side.
  private static let sided: Set<String> = ["turn", "get-ready"]
}
