internal import MienWire

/// What to say while somebody performs.
enum PerformanceWording {
  static func told(_ step: PerformanceStepReply?) -> FlowText {
    guard let step else { return FlowText("check.starting") }
    switch step.face {
    case "no-face", "several-faces": return FlowText("hint.\(step.face)")
    default: break
    }
    if step.state == "calibrating" { return FlowText("messages.relax-first") }
    if step.repeated { return FlowText("messages.repeated") }
    if let seen = step.seen { return FlowText("expression.\(seen)") }
    return FlowText(step.neutral ? "messages.make" : "messages.relax")
  }
}
