internal import MienFaceMatch
public import MienLiveness
public import MienCore

/// A check that passed. Only ``VerdictPolicy`` can create one; data reported by a client never has this type.
public struct AcceptedCheck: Sendable {
  public let session: CheckID
  public let findings: [Finding]

  fileprivate init(session: CheckID, findings: [Finding]) {
    self.session = session
    self.findings = findings
  }
}

/// The outcome of a check.
public enum Verdict: Sendable {
  case accepted(AcceptedCheck)
  case refused(because: String, [Finding])
  case timedOut(because: String, [Finding])
}

/// Derives a verdict from the final state of a check's state machine.
public enum VerdictPolicy {
  /// The reason code for passed tasks with frames that are not from a camera in front of a person. The findings contain
  /// the signal for the integrator's backend; the subject is not informed.
  public static let suspectFrames = "suspect-frames"

  /// The reason code for passed tasks with too few frames to determine whether they are from a camera.
  public static let tooFewFrames = "too-few-frames"

  /// The reason code for passed tasks without any storable image of the face, although images were requested.
  public static let noFaceImage = "no-face-image"

  /// The reason code for passed tasks that not one person alone performed.
  public static let personChanged = OnePersonMonitor.reason

  /// Returns the verdict, or `nil` while the check is running.
  ///
  /// A check passes if its tasks are passed and the passive signals, if monitored, do not refuse it
  /// (Documentation/reference/PassiveSignals.md states the rule) and had enough frames. Passive signals never compensate for a
  /// failed task. A check that passed the depth gate had no tasks, and needs no frames for it.
  ///
  /// - Parameters:
  ///   - passive: returns the assessment of the passive signals, `nil` if they were not monitored; called once, at the
  ///     end.
  ///   - earlier: result of the comparison with earlier checks; `nil` if they were not compared.
  ///   - lacksImage: `true` if images were requested and there is none of the face.
  ///   - refuses: `false` to report the passive signals and let the tasks alone decide.
  ///   - refusesReplays: `true` to refuse frames of an earlier check instead of reporting them.
  ///   - onePerson: finding about whether the face remained the same person's; `nil` if that was not monitored.
  ///   - refusesChange: `true` to refuse a check during which the person changed instead of reporting it.
  ///   - match: finding about the comparison with a reference, reported only if the check passes; it never changes the
  ///     verdict.
  ///   - devicePoses: finding about the device's observations beside the frames; `nil` if the check takes none. It never
  ///     changes the verdict.
  public static func verdict(
    on machine: CheckStateMachine, of session: CheckID, passive: () -> PassiveAssessment? = { nil },
    earlier: Finding? = nil, lacksImage: Bool = false, refuses: Bool = true, refusesReplays: Bool = false,
    onePerson: Finding? = nil, refusesChange: Bool = true, match: Finding? = nil,
    devicePoses: Finding? = nil
  ) -> Verdict? {
    guard machine.isOver else { return nil }
    let passive = passive()
    let own = machine.findings + (passive?.findings ?? []) + [earlier, onePerson, devicePoses].compactMap(\.self)
    // Liveness decides first: the face of a check that does not pass is not compared.
    let findings = own + (match.map { [$0 == ReferenceMatch.declined ? $0 : ReferenceMatch.notLive] } ?? [])
    let isChanged = if case .suspect? = onePerson?.result { true } else { false }
    let isReplay = if case .suspect? = earlier?.result { true } else { false }
    return switch machine.state {
    case .positioning, .depth, .instructing, .tracking: nil
    case .passed where refuses && passive?.outcome == .refused, .passed where refusesReplays && isReplay:
      .refused(because: suspectFrames, findings)
    case .passed where refuses && machine.tasksDone > 0 && passive?.lacksFrames == true:
      .refused(because: tooFewFrames, findings)
    case .passed where refusesChange && isChanged: .refused(because: personChanged, findings)
    case .passed where lacksImage: .refused(because: noFaceImage, findings)
    case .passed: .accepted(AcceptedCheck(session: session, findings: own + [match].compactMap(\.self)))
    case .failed(let failure): .refused(because: failure.code, findings)
    case .timedOut(let failure): .timedOut(because: failure.rawValue, findings)
    }
  }
}
