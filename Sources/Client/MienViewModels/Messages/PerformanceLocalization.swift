internal import MienAPI

/// Text keys of the instructions during a performance.
enum PerformanceLocalization {
  static func told(_ step: PerformanceStepResponse?) -> LocalizedText {
    guard let step else { return LocalizedText("check.starting") }
    switch step.face {
    case "no-face", "several-faces": return LocalizedText("hint.\(step.face)")
    default: break
    }
    if step.state == "calibrating" { return LocalizedText("messages.relax-first") }
    if step.repeated { return LocalizedText("messages.repeated") }
    if let seen = step.seen { return LocalizedText("expression.\(seen)") }
    return LocalizedText(step.neutral ? "messages.make" : "messages.relax")
  }
}
