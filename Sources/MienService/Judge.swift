public import MienChallenges
public import MienModel

/// A check that passed. Only the judge in this file can make one; what a client claims about itself is never this type.
public struct AcceptedCapture: Sendable {
  public let session: SessionID
  public let findings: [Finding]

  fileprivate init(session: SessionID, findings: [Finding]) {
    self.session = session
    self.findings = findings
  }
}

/// How a check ended.
public enum Verdict: Sendable {
  case accepted(AcceptedCapture)
  case refused(because: String, [Finding])
  case timedOut(because: String, [Finding])
}

/// Turns the end of a check's machine into a verdict.
public enum Judge {
  /// The verdict, or nil while the check goes on.
  public static func verdict(on machine: CheckMachine, of session: SessionID) -> Verdict? {
    let findings = machine.findings
    return switch machine.state {
    case .positioning, .depth, .instructing, .tracking: nil
    case .passed: .accepted(AcceptedCapture(session: session, findings: findings))
    case .failed(let failure): .refused(because: failure.code, findings)
    case .timedOut(let failure): .timedOut(because: failure.rawValue, findings)
    }
  }
}
