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
  /// The reason of a check whose tasks were passed and whose frames were not those of a camera before a person. Which
  /// sign gave it away stands in the findings, for the backend; whoever did the check is not told.
  public static let suspectFrames = "suspect-frames"

  /// The reason of a check whose tasks were passed on so few frames that nobody could look whether they are a camera's.
  public static let tooFewFrames = "too-few-frames"

  /// The reason of a check whose tasks were passed and of which no frame with the face could be kept, though images were asked for.
  public static let noFaceImage = "no-face-image"

  /// The verdict, or nil while the check goes on.
  ///
  /// A check passes when its tasks are passed and the passive signals, where they are watched, do not refuse it
  /// (Documentation/PassiveSignals.md has the rule) and had enough frames to look at. They never make up for a task that was not
  /// passed. Who passed the depth gate was asked for no task, and no frames are needed for it.
  ///
  /// - Parameters:
  ///   - passive: what was found beside the tasks, asked for once at the end; nil where nothing was watched.
  ///   - earlier: whether an earlier check showed the same frames; nil where nobody compared.
  ///   - lacksImage: true when images were asked for and there is none of the face.
  ///   - refuses: false to report what was found and let the tasks alone decide.
  ///   - refusesReplays: true to refuse frames of an earlier check instead of reporting them.
  public static func verdict(
    on machine: CheckMachine, of session: SessionID, passive: () -> PassiveAssessment? = { nil },
    earlier: Finding? = nil, lacksImage: Bool = false, refuses: Bool = true, refusesReplays: Bool = false
  ) -> Verdict? {
    guard machine.isOver else { return nil }
    let passive = passive()
    let findings = machine.findings + (passive?.findings ?? []) + (earlier.map { [$0] } ?? [])
    let isReplay = if case .suspect? = earlier?.result { true } else { false }
    return switch machine.state {
    case .positioning, .depth, .instructing, .tracking: nil
    case .passed where refuses && passive?.outcome == .refused, .passed where refusesReplays && isReplay:
      .refused(because: suspectFrames, findings)
    case .passed where refuses && machine.tasksDone > 0 && passive?.lacksFrames == true:
      .refused(because: tooFewFrames, findings)
    case .passed where lacksImage: .refused(because: noFaceImage, findings)
    case .passed: .accepted(AcceptedCapture(session: session, findings: findings))
    case .failed(let failure): .refused(because: failure.code, findings)
    case .timedOut(let failure): .timedOut(because: failure.rawValue, findings)
    }
  }
}
