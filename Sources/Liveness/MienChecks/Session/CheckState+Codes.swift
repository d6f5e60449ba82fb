internal import MienLiveness

extension CheckStateMachine.State {
  /// Stable code of the state, as used in the API.
  var code: String {
    switch self {
    case .positioning: "positioning"
    case .depth: "depth"
    case .instructing: "instructing"
    case .tracking: "tracking"
    case .passed: CheckResult.Outcome.passed.rawValue
    case .failed: CheckResult.Outcome.failed.rawValue
    case .timedOut: CheckResult.Outcome.timedOut.rawValue
    }
  }

  /// Stable code of the reason; `nil` in states without one.
  var reason: String? {
    switch self {
    case .failed(let failure): failure.code
    case .timedOut(let failure): failure.rawValue
    case .positioning, .depth, .instructing, .tracking, .passed: nil
    }
  }
}
