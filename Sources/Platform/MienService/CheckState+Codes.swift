internal import MienLiveness

extension CheckStateMachine.State {
  /// The stable code of the state, as it goes over the wire.
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

  /// The stable code of the reason, in the states that have one.
  var reason: String? {
    switch self {
    case .failed(let failure): failure.code
    case .timedOut(let failure): failure.rawValue
    case .positioning, .depth, .instructing, .tracking, .passed: nil
    }
  }
}
