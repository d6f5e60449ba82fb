internal import Foundation
package import MienCore
internal import MienFiles
internal import MienLiveness

/// Presentation of one recording to many checks of a level: each has other random tasks, and the recording, which cannot know
/// them, is repeated until the check ends.
///
/// The checks begin at ten evenly spaced places of the recording in turn. Passive signals process the recording once and
/// unrepeated, because a repetition would be rejected as a loop.
package struct RecordingAttack {
  private var samples: [(sample: TaskSample, hints: [FramingHint])] = []
  private var passive = PassiveSignalMonitor(settings: .recording)
  private let framing = FramingAdvice()

  package init() {}

  /// Appends the next frame of the recording.
  package mutating func process(_ observation: FaceObservation) {
    if let last = samples.last, observation.at <= last.sample.at { return }
    samples.append((TaskSample(observation), framing.hints(for: observation)))
    passive.process(observation)
  }

  /// Presents the recording to `tries` checks of a level.
  ///
  /// - Throws: ``OperationError`` if it has fewer than two frames.
  package func run(against level: AssuranceLevel, tries: Int) throws -> Outcome {
    guard let first = samples.first?.sample.at, let last = samples.last?.sample.at, samples.count > 1 else {
      throw OperationError("the recording has fewer than two frames, so that it cannot be presented")
    }
    let length = last.since(first).nanoseconds
    // After the last frame, the first one follows at the usual interval.
    let period = length + length / Int64(samples.count - 1)
    var (generator, passed, reasons) = (RepeatableGenerator(), 0, [String: Int]())
    for attempt in 0..<tries {
      guard let plan = level.plan(using: &generator) else { throw OperationError("\(level.rawValue) has no tasks") }
      var machine = CheckStateMachine(plan: plan, depth: .noDepth)
      var (index, round) = (attempt % 10 * samples.count / 10, Int64(0))
      while !machine.isOver {
        if index == samples.count { (index, round) = (0, round + 1) }
        let at = samples[index].sample.at.since(first).nanoseconds + round * period
        machine.process(
          TaskSample(at: MonotonicInstant(nanoseconds: at), sight: samples[index].sample.sight),
          hints: samples[index].hints)
        index += 1
      }
      switch machine.state {
      case .passed: passed += 1
      case .failed(let failure): reasons[failure.code, default: 0] += 1
      case .timedOut(let failure): reasons[failure.rawValue, default: 0] += 1
      case .positioning, .depth, .instructing, .tracking: continue
      }
    }
    return Outcome(
      level: level, tries: tries, passed: passed, reasons: reasons, frames: samples.count,
      facesSeen: samples.count { if case .face = $0.sample.sight { true } else { false } }, passive: passive.assessment)
  }

  /// Number of checks that the recording passed, and the result of the passive signals.
  package struct Outcome {
    let level: AssuranceLevel
    let tries: Int
    let passed: Int
    let reasons: [String: Int]
    let frames: Int
    let facesSeen: Int
    let passive: PassiveAssessment

    /// 0 if the recording was presented, 2 if it shows no face.
    package var exitCode: Int32 { facesSeen == 0 ? 2 : 0 }

    private var suspects: [String] {
      passive.findings.filter { if case .suspect = $0.result { true } else { false } }.map(\.check)
    }

    private var passiveOutcome: String {
      switch passive.outcome {
      case .unsuspicious: "unsuspicious"
      case .doubtful: "doubtful"
      case .refused: "refused"
      case .notAssessed: "not-assessed"
      }
    }

    package var text: String {
      var line =
        "\(level.rawValue): passed \(passed) of \(tries) checks by its tasks; passive signals: \(passiveOutcome)"
      if !suspects.isEmpty { line += " (\(suspects.joined(separator: ", ")))" }
      return line
    }

    package func jsonText() throws -> String {
      struct Reply: Encodable {
        let assurance: String
        let tries: Int
        let passed: Int
        let reasons: [String: Int]
        let frames: Int
        let framesWithFace: Int
        let passive: String
        let suspects: [String]
        let measures: [String: Double]
        enum CodingKeys: String, CodingKey {
          case assurance, tries, passed, reasons, frames, passive, suspects, measures
          case framesWithFace = "frames_with_face"
        }
      }
      var measures: [String: Double] = [:]
      for finding in passive.findings {
        switch finding.result {
        case .genuine(let measure), .suspect(let measure, _): measures[finding.check] = measure.native
        case .notAssessed: continue
        }
      }
      return try JSONText.make(
        Reply(
          assurance: level.rawValue, tries: tries, passed: passed, reasons: reasons, frames: frames,
          framesWithFace: facesSeen, passive: passiveOutcome, suspects: suspects, measures: measures))
    }
  }
}

/// Generator of the same numbers in every run (SplitMix64), so that results can be repeated.
private struct RepeatableGenerator: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
