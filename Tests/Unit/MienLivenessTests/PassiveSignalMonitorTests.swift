import MienLiveness
import MienCore
import Testing

@Suite struct `Passive signals: monitor and assessment` {
  private func finding(_ check: String, _ native: Double, suspect: Bool) throws -> Finding {
    let measure = Finding.Measure(
      native: native, score: try #require(Score(suspect ? 0.3 : 0.9)), calibration: PassiveSettings.version)
    return Finding(check: check, result: suspect ? .suspect(measure, because: "test") : .genuine(measure))
  }

  @Test func `without frames every check is not assessed`() {
    let monitor = PassiveSignalMonitor(settings: .live)
    #expect(monitor.findings.count == 10)
    for finding in monitor.findings { #expect(finding.result == .notAssessed(.tooFewFrames(0)), "\(finding.check)") }
    #expect(monitor.assessment.trust == nil)
    #expect(monitor.assessment.outcome == .notAssessed)
  }

  @Test func `implausible and multiple faces count only for timing`() throws {
    var monitor = PassiveSignalMonitor(settings: .live)
    for (index, observation) in PassiveSession().observations.enumerated() {
      var odd = observation
      switch index % 5 {
      case 0: odd.faceCount = 2
      case 1: odd.face = nil
      case 2: odd.face?.pose.yaw = .nan
      case 3: odd.face?.landmarks = try #require(Landmarks(Array(repeating: SIMD3(repeating: .nan), count: 478)))
      default: odd.face?.landmarks = try #require(Landmarks(Array(repeating: SIMD3(repeating: 1e30), count: 478)))
      }
      monitor.process(odd)
    }
    for finding in monitor.findings where finding.check != "frame-timing" {
      #expect(finding.result == .notAssessed(.tooFewFrames(0)), "\(finding.check)")
    }
    #expect(monitor.finding("frame-timing")?.measure != nil)
  }

  @Test func `signals that compare consecutive frames are not assessed below the rate they were evaluated at`() {
    for rate in [15, 9.5, 8, 4] {
      var monitor = PassiveSignalMonitor(settings: .live)
      for observation in PassiveSession(rate: rate).observations { monitor.process(observation) }
      for check in ["eyelid-motion", "same-face"] {
        #expect((monitor.finding(check)?.measure != nil) == (rate > 9), "\(check) at \(rate) frames per second")
      }
      #expect(monitor.finding("movement-stillness")?.measure != nil)
      #expect(!monitor.assessment.lacksFrames)
    }
  }

  /// Invalid coordinates among valid ones must not crash, and every score must be a number.
  @Test(arguments: 1...20) func `extreme coordinates do not trap`(seed: Int) throws {
    var generator = SeededGenerator(seed)
    var monitor = PassiveSignalMonitor(settings: .live)
    let wild: [Float] = [.nan, .infinity, -.infinity, 1e38, -1e38, 1e-38, 0, -5, 100]
    for observation in PassiveSession(turn: 30, seed: seed).observations {
      var odd = observation
      var points = try #require(observation.face).landmarks.points
      for _ in 0..<3 {
        let index = Int.random(in: 0..<478, using: &generator)
        points[index][Int.random(in: 0..<3, using: &generator)] = try #require(wild.randomElement(using: &generator))
      }
      odd.face?.landmarks = try #require(Landmarks(points))
      monitor.process(odd)
    }
    for finding in monitor.findings {
      if let measure = finding.result.measure { #expect(measure.native.isFinite) }
    }
  }

  @Test func `a strong signal rejects alone and weak signals only in combination`() throws {
    let good = try finding("planarity-turn", 1, suspect: false)
    #expect(PassiveAssessment([good]).outcome == .unsuspicious)
    for check in PassiveAssessment.refusing {
      #expect(try PassiveAssessment([good, finding(check, 1, suspect: true)]).outcome == .refused)
    }
    let weak = try finding("eyelid-motion", 0, suspect: true)
    #expect(PassiveAssessment([good, weak]).outcome == .doubtful)
    #expect(try PassiveAssessment([weak, finding("same-face", 1, suspect: true)]).outcome == .refused)
    #expect(PassiveAssessment([good, weak]).trust == Score(0.3))
    let blind = Finding(check: "same-face", result: .notAssessed(.noFace))
    #expect(PassiveAssessment([blind, blind]).outcome == .notAssessed)
    #expect(PassiveAssessment([good, blind]).outcome == .unsuspicious)
  }

  @Test func `every rejecting check is made by the monitor`() {
    let made = Set(PassiveSignalMonitor(settings: .live).findings.map(\.check))
    #expect(PassiveAssessment.refusing.isSubset(of: made))
  }

  @Test func `the score is one half at the threshold and decreases with suspicion`() throws {
    // 30 of 60 equal intervals, with a threshold of one half.
    var scores: [Double] = []
    for equal in stride(from: 0, through: 60, by: 6) {
      var detector = FrameTimingDetector(try #require(FrameTimingSettings()))
      var now: Int64 = 0
      for index in 0...61 {
        detector.process(MonotonicInstant(nanoseconds: now))
        now += index < equal + 1 ? 50_000_000 : 60_000_000 + Int64(index * index) * 100_000
      }
      let measure = try #require(detector.finding.result.measure)
      scores.append(measure.score.value)
      #expect((measure.native >= 0.5) == (measure.score.value <= 0.5))
    }
    #expect(scores == scores.sorted(by: >))
    #expect(scores.first == 1)
    #expect(try #require(scores.last) < 0.01)
  }

  @Test func `out-of-range settings are rejected`() {
    #expect(RepetitionSettings(memory: 31) == nil)
    #expect(RepetitionSettings(memory: 1025) == nil)
    #expect(RepetitionSettings(tolerance: .nan) == nil)
    #expect(RepetitionSettings(minimumTravel: 0) == nil)
    #expect(RepetitionSettings(longestStretch: 3) == nil)
    #expect(RepetitionSettings(longestMirroredStretch: 201) == nil)
    #expect(RepetitionSettings(minimumFrames: 9) == nil)
    #expect(FrameTimingSettings(equality: Interval(nanoseconds: -1)) == nil)
    #expect(FrameTimingSettings(largestEqualShare: 0) == nil)
    #expect(FrameTimingSettings(burst: .seconds(1)) == nil)
    #expect(FrameTimingSettings(largestBurstShare: 1.1) == nil)
    #expect(FrameTimingSettings(minimumIntervals: 7) == nil)
    #expect(MovementSettings(smallestSway: 0) == nil)
    #expect(MovementSettings(jerkStep: .infinity) == nil)
    #expect(MovementSettings(largestJerkShare: 0.01) == nil)
    #expect(MovementSettings(longestStep: .zero) == nil)
    #expect(MovementSettings(minimumFrames: 1001) == nil)
    #expect(EyelidSettings(smallestSpan: 1) == nil)
    #expect(EyelidSettings(largestAngle: 4) == nil)
    #expect(EyelidSettings(minimumFrames: 0) == nil)
    #expect(EyelidSettings(shortestWatch: .zero) == nil)
    #expect(StretchSettings(largestSpan: 0.01) == nil)
    #expect(StretchSettings(largestAngle: 61) == nil)
    #expect(StretchSettings(minimumFrames: 5) == nil)
    #expect(TurnPlaneSettings(smallestTurn: 14) == nil)
    #expect(TurnPlaneSettings(smallestResidual: .nan) == nil)
    #expect(ContinuitySettings(largestShift: 0) == nil)
    #expect(ContinuitySettings(largestAngle: 90) == nil)
  }

  @Test func `printing reveals no face data`() {
    let monitor = PassiveSignalMonitor.over(PassiveSession().observations)
    #expect("\(monitor)" == "PassiveSignalMonitor(withheld)")
    var dumped = ""
    dump(monitor, to: &dumped)
    #expect(!dumped.contains { $0.isNumber })
  }
}
