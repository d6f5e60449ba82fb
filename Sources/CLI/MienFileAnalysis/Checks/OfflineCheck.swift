internal import MienChecks
package import MienCore
package import MienLiveness
internal import MienRecordings

/// Liveness check over a complete sequence of frames or claimed observations, at their own timestamps, with the
/// server's decision logic.
package struct OfflineCheck {
  private var machine: CheckStateMachine
  private let framing = FramingAdvice()
  private var last: MonotonicInstant?
  private var frames = 0
  private var facesWithPose = 0
  private var source = CheckResult.Source.none

  package init(side: Side, settings: CheckSettings = .standard) {
    machine = CheckStateMachine(side: side, depth: .noDepth, settings: settings)
  }

  package var isOver: Bool { machine.isOver }

  var hasPassed: Bool {
    if case .passed = machine.state { true } else { false }
  }

  package mutating func process(_ observation: FaceObservation) {
    feed(HeadSample(observation), framing.hints(for: observation), at: observation.at, from: .observed)
  }

  package mutating func process(_ claim: ClientObservation) {
    feed(HeadSample(claim), framing.hints(for: claim), at: claim.at, from: .claimed)
  }

  private mutating func feed(
    _ sample: HeadSample, _ hints: [FramingHint], at: MonotonicInstant, from source: CheckResult.Source
  ) {
    self.source = source
    frames += 1
    if case .face = sample.sight { facesWithPose += 1 }
    last = at
    machine.process(sample, hints: hints)
  }

  /// Advances the clock past all remaining time limits and returns the outcome.
  package mutating func finish() -> OfflineOutcome {
    // If the input ends before the limit, the outcome is inconclusive: the person might still have passed.
    let endedEarly = !machine.isOver
    if let last {
      for second in 1...120 where !machine.isOver { machine.tick(at: last + .seconds(Double(second))) }
    }
    return OfflineOutcome(
      verdict: VerdictPolicy.verdict(on: machine, of: Self.session), findings: machine.findings,
      evidence: machine.evidence,
      source: source, frames: frames, facesWithPose: facesWithPose, inputEnded: endedEarly)
  }

  /// Placeholder check ID: offline checks have no ID of their own.
  private static let session: CheckID = {
    guard let session = CheckID("offline") else { preconditionFailure("a plain word is an identifier") }
    return session
  }()
}
