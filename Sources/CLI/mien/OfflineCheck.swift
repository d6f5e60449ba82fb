import MienLiveness
import MienCore
import MienService

/// A check over frames or claims that are all there already, at their own timestamps; the judgement is the server's.
struct OfflineCheck {
  private var machine: CheckStateMachine
  private let framing = FramingAdvice()
  private var last: MonotonicInstant?
  private var frames = 0
  private var facesWithPose = 0
  private var source = CheckResult.Source.none

  init(side: Side, settings: CheckSettings = .standard) {
    machine = CheckStateMachine(side: side, depth: .noDepth, settings: settings)
  }

  var isOver: Bool { machine.isOver }

  mutating func process(_ observation: FaceObservation) {
    feed(HeadSample(observation), framing.hints(for: observation), at: observation.at, from: .observed)
  }

  mutating func process(_ claim: ClientObservation) {
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

  /// Lets the rest of all time limits pass and says how it ended.
  mutating func finish() -> OfflineOutcome {
    // When the input ends before the limit, nobody knows what the person would have done.
    let endedEarly = !machine.isOver
    if let last {
      for second in 1...60 where !machine.isOver { machine.tick(at: last + .seconds(Double(second))) }
    }
    return OfflineOutcome(
      verdict: VerdictPolicy.verdict(on: machine, of: Self.session), findings: machine.findings,
      evidence: machine.evidence,
      source: source, frames: frames, facesWithPose: facesWithPose, inputEnded: endedEarly)
  }

  /// Offline checks have no session of their own.
  private static let session: CheckID = {
    guard let session = CheckID("offline") else { preconditionFailure("a plain word is an identifier") }
    return session
  }()
}
