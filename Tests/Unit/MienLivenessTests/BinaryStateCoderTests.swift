import MienCore
import Testing

@testable import MienLiveness

/// Serialization of states, and restoration on another clock.
@Suite struct `Binary state coding` {
  /// Returns a state machine after serialization and restoration on a clock with another origin.
  static func moved<Machine: BinaryStateCodable>(
    _ machine: Machine, into fresh: Machine, at now: MonotonicInstant, to other: MonotonicInstant
  ) throws
    -> (machine: Machine, bytes: Int)
  {
    var (copy, written) = (machine, BinaryStateCoder(writingAt: now))
    copy.pass(over: &written)
    var (read, coder) = (fresh, BinaryStateCoder(reading: written.bytes, at: other))
    read.pass(over: &coder)
    try #require(coder.isReadToTheEnd)
    return (read, written.bytes.count)
  }

  /// Returns the visible state of a check.
  private static func face(_ check: CheckStateMachine) -> String {
    """
    \(check.state) \(check.instruction) \(check.progress) \(check.remaining) \(check.hints) \(check.tasksDone) \
    \(String(describing: check.side)) \(check.gate.state) \(check.gate.run)
    """
  }

  /// The check is serialized after every frame, so that every possible point of interruption is covered.
  @Test(arguments: TaskKind.allCases, TaskDifficulty.allCases)
  func `a check serialized after every frame gives the same result`(
    _ kind: TaskKind, _ difficulty: TaskDifficulty
  )
    throws
  {
    var outcomes: Set<String> = []
    for seed in 1...4 {
      var generator = SeededGenerator(seed * 31)
      let task = try #require(TaskExamples.task(kind, difficulty, &generator))
      let second = try #require(LivenessTask.random(.headTurn, using: &generator))
      let plan = try TaskPlan([task, second])
      var stayed = CheckStateMachine(plan: plan, depth: .noDepth)
      var moving = CheckStateMachine(plan: plan, depth: .noDepth)
      var person = TaskPerson(&generator)
      person.blinkLength = 0.4
      if case .yesOrNo(let task) = task {
        for question in task.questions { person.answers[question.id] = question.answer }
      }
      var (time, shift) = (5.0, 0.0)
      while !stayed.isOver, time < 150 {
        let prompt = stayed.state == .tracking ? stayed.prompt ?? .faceCamera : .faceCamera
        let face = person.face(at: time, showing: prompt, &generator)
        // Some people look away occasionally, and some perform poorly.
        let isAway = seed > 2 && Int.random(in: 0..<40, using: &generator) == 0
        let sight: TaskSample.Sight = isAway ? .noFace : .face(face)
        let hints: [FramingHint] = isAway ? [.noFace] : []
        stayed.process(TaskSample(at: .after(time), sight: sight), hints: hints)
        moving.process(TaskSample(at: .after(time + shift), sight: sight), hints: hints)
        let step = Double(Int.random(in: -4...8, using: &generator))
        moving = try Self.moved(
          moving, into: CheckStateMachine(plan: plan, depth: .noDepth), at: .after(time + shift),
          to: .after(time + shift + step)
        ).machine
        shift += step
        #expect(Self.face(moving) == Self.face(stayed))
        #expect(moving.prompt == stayed.prompt)
        time += Double.random(in: 0.03...0.09, using: &generator)
      }
      #expect(moving.state == stayed.state && moving.findings == stayed.findings)
      #expect(moving.taskEvidence == stayed.taskEvidence)
      outcomes.insert("\(stayed.state)".prefix(6) + "")
    }
    #expect(outcomes.contains("passed") || difficulty == .hard, "people pass: \(outcomes)")
  }

  @Test(arguments: 1...4) func `a passive monitor serialized after every frame gives the same findings`(seed: Int)
    throws
  {
    var (stayed, moving) = (PassiveSignalMonitor(settings: .live), PassiveSignalMonitor(settings: .live))
    var largest = 0
    let session = PassiveSession(frames: 320, rate: 15, turn: seed.isMultiple(of: 2) ? 35 : 3, seed: seed)
    for (index, observation) in session.observations.enumerated() {
      var seen = observation
      if index % 37 == 5 { seen.face = nil }
      if index >= 200, seed > 2 { seen = session.observations[index - 150] }
      seen.at = observation.at
      stayed.process(seen)
      var there = seen
      there.at = seen.at + .seconds(7)
      moving.process(there)
      let result = try Self.moved(
        moving, into: PassiveSignalMonitor(settings: .live), at: there.at, to: there.at)
      moving = result.machine
      largest = max(largest, result.bytes)
      if index.isMultiple(of: 40) { #expect(moving.findings == stayed.findings) }
    }
    #expect(moving.findings == stayed.findings)
    #expect(largest > 1000 && largest < 24_000, "\(largest) bytes: too many to be stored several times per second")
  }

  @Test func `depth captures and their results are serialized`() throws {
    let thresholds = try #require(
      DepthThresholds(
        shape: .init(noseRelief: 10, planeResidual: 3, sheetResidual: 1, centerToRim: 10), validFraction: 0.5,
        nearest: 100,
        farthest: 900, revision: 3))
    for relief in [5.0, 20] {
      var stayed = CheckStateMachine(side: .subjectLeft, depth: .enrolled(thresholds))
      var moving = stayed
      for number in 0..<40 {
        let at = MonotonicInstant.after(Double(number) * 0.1)
        let measures = DepthMeasures(
          noseRelief: relief + Double(number) / 100, planeResidual: 5, sheetResidual: 2, centerToRim: 20,
          validFraction: 0.9, distance: 400)
        for place in [0, 1] {
          var check = place == 0 ? stayed : moving
          check.process(HeadSample(at: at, sight: .face(yaw: 0, box: nil)), hints: [])
          check.process(depth: number % 7 == 6 ? .notAssessed(.noDepth) : .measured(measures), at: at)
          if place == 0 { stayed = check } else { moving = check }
        }
        moving = try Self.moved(
          moving, into: CheckStateMachine(side: .subjectLeft, depth: .enrolled(thresholds)), at: at, to: at
        ).machine
        #expect(Self.face(moving) == Self.face(stayed) && moving.findings == stayed.findings)
        #expect(moving.gate.accepted == stayed.gate.accepted)
      }
      #expect((stayed.state == .passed) == (relief > 10))
    }
  }

  @Test func `every value is restored exactly`() throws {
    let measure = Finding.Measure(native: -.infinity, score: try #require(Score(0.3)), calibration: "c ü 1")
    var findings = [
      Finding(check: "a", result: .genuine(measure)), Finding(check: "b", result: .suspect(measure, because: "why")),
    ]
    let obstacles: [UnavailableReason] = [
      .noFace, .noDepth, .notEnrolled, .tooLittleValidDepth, .imageTooSmall, .imageTooCompressed, .severalFaces(-3),
      .tooFewFrames(.max),
      .modelUnavailable("m"),
    ]
    findings += obstacles.map { Finding(check: "o", result: .notAssessed($0)) }
    #expect(try Self.moved(findings, into: [], at: .zero, to: .zero).machine == findings)
    for number in [0, 1, -1, 63, 64, -65, .max, .min] {
      #expect(try Self.moved(number, into: 7, at: .zero, to: .zero).machine == number)
    }
    let odd: [Float] = [0, -0.0, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1]
    #expect(try Self.moved(odd, into: [], at: .zero, to: .zero).machine.map(\.bitPattern) == odd.map(\.bitPattern))
    #expect(try Self.moved(Float.nan, into: 0, at: .zero, to: .zero).machine.isNaN)
    let instants = [MonotonicInstant(nanoseconds: .max), MonotonicInstant(nanoseconds: .min), .zero]
    #expect(try Self.moved(instants, into: [], at: .after(3), to: .after(3)).machine == instants)
    #expect(try Self.moved([MonotonicInstant.after(4)], into: [], at: .after(3), to: .after(1)).machine == [.after(2)])
  }

  /// States are encrypted and written only by a server; nevertheless invalid ones must not crash a server.
  @Test(arguments: 1...40) func `invalid bytes are rejected without trapping`(seed: Int) throws {
    var generator = SeededGenerator(seed)
    var check = CheckStateMachine(side: .subjectLeft, depth: .noDepth)
    var monitor = PassiveSignalMonitor(settings: .live)
    for (index, observation) in PassiveSession(frames: 60, turn: 30, seed: seed).observations.enumerated() {
      check.process(TaskSample(observation), hints: [])
      if index < 40 { monitor.process(observation) }
    }
    var coder = BinaryStateCoder(writingAt: .zero)
    check.pass(over: &coder)
    monitor.pass(over: &coder)
    func read(_ bytes: [UInt8]) -> Bool {
      var coder = BinaryStateCoder(reading: bytes, at: .zero)
      var (check, monitor) = (
        CheckStateMachine(side: .subjectLeft, depth: .noDepth), PassiveSignalMonitor(settings: .live)
      )
      check.pass(over: &coder)
      monitor.pass(over: &coder)
      return coder.isReadToTheEnd
    }
    #expect(read(coder.bytes))
    #expect(!read(coder.bytes + [0]) && !read([]))
    for _ in 0..<20 {
      #expect(!read(Array(coder.bytes.prefix(Int.random(in: 0..<coder.bytes.count, using: &generator)))))
      var bytes = coder.bytes
      for _ in 0...3 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: .min ... .max, using: &generator)
      }
      _ = read(bytes)
      _ = read((0..<200).map { _ in .random(in: .min ... .max, using: &generator) })
    }
  }
}
