import MienCore
import RealModule
import Testing

@testable import MienLiveness

@Suite struct `Light tasks` {
  /// Runs a task in front of a face. The screen shows the colors of `screen`, which are those of the task unless given.
  static func judged(
    _ task: LightTask, _ face: LitFace, screen: LightTask? = nil, fps: Double = 15, _ generator: inout SeededGenerator
  ) -> TaskStateMachine {
    var (machine, shown) = (TaskStateMachine(.light(task)), TaskStateMachine(.light(screen ?? task)))
    machine.beginTracking(at: .zero)
    shown.beginTracking(at: .zero)
    var (face, time) = (face, 0.05)
    while !machine.isOver, time < 30 {
      var seen = TaskSample.Face(
        yaw: 0.4 * generator.normal(), pitch: 0.4 * generator.normal(), roll: 0, box: Footage.box)
      guard case .light(let prompt) = shown.prompt else { break }
      seen.light = face.face(at: time, showing: prompt.color, &generator)
      let sample = TaskSample(at: .after(time), sight: .face(seen))
      _ = machine.process(sample)
      _ = shown.process(sample)
      time += 1 / fps * .random(in: 0.9...1.1, using: &generator)
    }
    return machine
  }

  static func random(_ generator: inout SeededGenerator) throws -> LightTask { try .random(using: &generator) }

  @Test func `a sequence has no repetition and begins after pearl`() throws {
    var generator = SeededGenerator(1)
    var counts: [LightColor: Int] = [:]
    for _ in 0..<2000 {
      let task = try Self.random(&generator)
      #expect(task.colors.count == 8 && !task.colors.contains(.pearl))
      #expect(zip(task.colors, task.colors.dropFirst()).allSatisfy { $0 != $1 })
      counts[task.colors[3], default: 0] += 1
    }
    #expect(counts.count == 6 && counts.values.allSatisfy { (250...420).contains($0) })
    #expect(try LightTask.random(difficulty: .hard, using: &generator).colors.count == 10)
    #expect(try Self.random(&generator).bitsOfChoice == 13)
    #expect(try LightTask(colors: [.rose, .sky, .rose, .sky, .rose, .sky, .rose, .sky]).bitsOfChoice == 0)
    for wrong: [LightColor] in [
      [.rose], Array(repeating: .rose, count: 8), [.rose, .pearl, .rose, .sky, .rose, .sky, .rose, .sky],
    ] {
      #expect(throws: TaskError.self) { try LightTask(colors: wrong) }
    }
  }

  /// WCAG 2.3.1: no more than three flashes in a second. A flash is a pair of opposing changes of the relative luminance
  /// by 10 % of the maximum or more, or of a saturated red.
  @Test func `no sequence can flash as WCAG defines it`() {
    for color in LightColor.allCases {
      let rgb = [color.sRGB.red, color.sRGB.green, color.sRGB.blue].map { value in
        let share = Double(value) / 255
        return share <= 0.04045 ? share / 12.92 : Double.pow((share + 0.055) / 1.055, 2.4)
      }
      for channel in 0..<3 { #expect(abs(color.linear[channel] - rgb[channel]) < 0.002) }
      #expect(rgb[0] / rgb.reduce(0, +) < 0.8, "not a saturated red")
    }
    let luminances = LightColor.allCases.map { 0.2126 * $0.linear.x + 0.7152 * $0.linear.y + 0.0722 * $0.linear.z }
    #expect((luminances.max() ?? 1) - (luminances.min() ?? 0) < 0.1, "a change of color is not even half a flash")
    // By counting: two changes a second are at most one pair.
    #expect(LightTask.dwell >= .milliseconds(500))
    #expect(Set(LightColor.allCases.map(\.code)).count == 7 && LightColor.rose.code == "#ffaaaa")
  }

  @Test(arguments: [0.05, 0.1, 0.3, 1, 2]) func `a face that the screen lights passes`(_ gain: Double) throws {
    var generator = SeededGenerator(Int(gain * 100))
    for number in 0..<20 {
      var face = LitFace(gain: gain)
      face.noise = 0.002
      face.delay = .random(in: 0.03...0.45, using: &generator)
      face.fade = number % 2 == 0 ? 0.15 : 0.3  // reduced motion
      let fps = [8.0, 12, 15, 30][number % 4]
      let machine = Self.judged(try Self.random(&generator), face, fps: fps, &generator)
      #expect(machine.state == .success, "\(fps) frames a second, \(face.delay) s")
      guard case .genuine(let measure)? = machine.finding?.result else {
        Issue.record("a face that follows the colors must be genuine")
        continue
      }
      #expect(measure.native >= 0.88 && measure.score.value >= 0.5)
      #expect(machine.evidence.duration < .seconds(6.5))
    }
  }

  @Test func `the sequence of another check never passes`() throws {
    var generator = SeededGenerator(4)
    var states: [TaskStateMachine.State] = []
    for _ in 0..<400 {
      let machine = Self.judged(
        try Self.random(&generator), LitFace(gain: 0.2), screen: try Self.random(&generator), &generator)
      states.append(machine.state)
    }
    #expect(!states.contains(.success))
    #expect(states.count { $0 == .failed(.foreignLight) } > 280)
    #expect(states.allSatisfy { $0 == .failed(.foreignLight) || $0 == .unavailable(.tooLittleLight) })
  }

  @Test func `a flat picture in the light of the screen fails`() throws {
    var generator = SeededGenerator(5)
    var failed = 0
    for _ in 0..<200 {
      let machine = Self.judged(try Self.random(&generator), .flat(0.15), &generator)
      #expect(machine.state != .success)
      if machine.state == .failed(.flatLight) { failed += 1 }
    }
    #expect(failed > 180)
  }

  @Test(arguments: [0, 0.005, 0.02]) func `too little light is not assessed, whatever is in front of the camera`(
    _ gain: Double
  ) throws {
    var generator = SeededGenerator(6)
    for number in 0..<60 {
      var face = number % 3 == 0 ? .flat(gain) : LitFace(gain: gain)
      face.drift = [0.007, 0.013, 0.02][number % 3]
      let screen = number % 2 == 0 ? nil : try Self.random(&generator)
      let machine = Self.judged(try Self.random(&generator), face, screen: screen, &generator)
      #expect(machine.state == .unavailable(.tooLittleLight))
      #expect(machine.finding == Finding(check: "light", result: .notAssessed(.tooLittleLight)))
    }
  }

  @Test func `a still picture is not assessed`() throws {
    var generator = SeededGenerator(7)
    var face = LitFace(gain: 0)
    (face.drift, face.noise) = (0, 0)
    #expect(Self.judged(try Self.random(&generator), face, &generator).state == .unavailable(.tooLittleLight))
  }

  @Test func `a response that comes a second late is not accepted, and is not an attack`() throws {
    var generator = SeededGenerator(8)
    for _ in 0..<40 {
      var face = LitFace(gain: 0.2)
      face.delay = .random(in: 1.05...1.15, using: &generator)
      #expect(Self.judged(try Self.random(&generator), face, &generator).state == .unavailable(.tooLittleLight))
    }
  }

  @Test func `the background compensates for automatic white balance`() throws {
    var generator = SeededGenerator(9)
    var passed = [false: 0, true: 0]
    for number in 0..<60 {
      var face = LitFace(gain: 0.15)
      face.whiteBalance = 0.9
      let isVisible = number % 2 == 0
      if isVisible { face.background = 0.1 }
      if Self.judged(try Self.random(&generator), face, &generator).state == .success {
        passed[isVisible, default: 0] += 1
      }
    }
    #expect(passed[true] == 30 && passed[false] == 0)
  }

  @Test func `a color without a frame is not assessed`() throws {
    var generator = SeededGenerator(10)
    let task = try Self.random(&generator)
    var tracker = LightTracker(task)
    var (face, time, update) = (LitFace(gain: 0.2), 0.0, TrackerUpdate.going)
    while update == .going, time < 10 {
      let light = face.face(at: time, showing: tracker.prompt.color, &generator)
      let isMissing = (2.1...3.4).contains(time)
      update = tracker.process(
        TrackerSample(
          at: .after(time), pose: isMissing ? SIMD3(25, 0, 0) : .zero, eyes: .zero, jaw: 0, light: light))
      time += 0.07
    }
    guard case .unavailable(.tooFewFrames) = update else {
      Issue.record("a head that moves away is not assessed: \(update)")
      return
    }
  }

  @Test func `prompts name the next colors and their time`() throws {
    let colors: [LightColor] = [.rose, .sky, .leaf, .sun, .violet, .lagoon, .rose, .leaf]
    var tracker = LightTracker(try LightTask(colors: colors))
    #expect(tracker.prompt.color == .pearl && tracker.prompt.until == nil)
    func see(_ time: Double) -> TaskPrompt.Light {
      _ = tracker.process(TrackerSample(at: .after(time), pose: .zero, eyes: .zero, jaw: 0, light: nil))
      return tracker.prompt
    }
    let first = see(1)
    #expect(first.color == .pearl && first.next == [.rose, .sky] && first.until == LightTask.lead)
    let second = see(2)
    #expect(second.color == .sky && second.index == 2 && second.next == [.leaf, .sun])
    #expect(abs((second.until?.inSeconds ?? 0) - 0.4) < 0.001)
    let end = see(5.3)
    #expect(end.color == .leaf && end.index == 8 && end.next.isEmpty && end.until == nil)
  }

  // MARK: - Checks

  /// A check with a light task and a head turn, in front of a face that follows whatever is asked.
  struct Flow {
    var check: CheckStateMachine
    var lit: LitFace
    var person: TaskPerson
    var generator: SeededGenerator
    var time = 0.0

    init(gain: Double, seed: Int = 3, alternative: Bool = true) throws {
      generator = SeededGenerator(seed)
      let task = LivenessTask.light(try .random(using: &generator))
      let other = alternative ? task.alternative(for: .all, using: &generator) : nil
      check = CheckStateMachine(plan: try TaskPlan([task], alternatives: [other]), depth: .noDepth)
      lit = LitFace(gain: gain)
      person = TaskPerson(&generator)
      person.blinkLength = 0.4
    }

    mutating func run(isClaimed: Bool = false, until isDone: (CheckStateMachine) -> Bool = { _ in false }) {
      while !isDone(check), !check.isOver, time < 100 {
        let prompt = check.state == .tracking ? check.prompt ?? .faceCamera : .faceCamera
        var face = person.face(at: time, showing: prompt, &generator)
        if case .light(let light)? = check.prompt, !isClaimed {
          face.light = lit.face(at: time, showing: light.color, &generator)
        } else {
          face.light = nil
        }
        check.process(TaskSample(at: .after(time), sight: .face(face)), hints: [])
        time += 0.06
      }
    }
  }

  @Test func `a check passes on the light`() throws {
    var flow = try Flow(gain: 0.15)
    flow.run { $0.state == .instructing }
    #expect(flow.check.canDecline && flow.check.measuresLight)
    let announced = flow.time
    flow.run { $0.state == .tracking }
    #expect(flow.time - announced > 2.4, "time to read, and to decline")
    #expect(flow.check.instruction == .perform)
    flow.run()
    #expect(flow.check.state == .passed)
    #expect(flow.check.findings.map(\.check) == ["depth-gate", "light"])
  }

  @Test func `a check without enough light asks for another task of at least the same strength`() throws {
    var flow = try Flow(gain: 0.01)
    flow.run { $0.current.task.kind != .light }
    #expect(flow.check.state == .instructing && !flow.check.canDecline && !flow.check.measuresLight)
    #expect(flow.check.current.task.bitsOfChoice >= 13)
    #expect(flow.check.position.index == 0)
    flow.run()
    #expect(flow.check.state == .passed)
    #expect(flow.check.findings.map(\.check) == ["depth-gate", "light", "head-path"])
    #expect(flow.check.findings[1].result == .notAssessed(.tooLittleLight))
    #expect(flow.check.taskEvidence.map(\.kind) == [.light, .headPath])
  }

  @Test func `a person can decline at any time, once`() throws {
    for state in [CheckStateMachine.State.instructing, .tracking] {
      var flow = try Flow(gain: 0.15)
      flow.check.decline(at: .zero)
      flow.run { $0.state == state }
      flow.check.decline(at: .after(flow.time))
      #expect(flow.check.current.task.kind == .headPath && flow.check.state == .instructing)
      let task = flow.check.current.task
      flow.check.decline(at: .after(flow.time))
      #expect(flow.check.current.task == task)
      flow.run()
      #expect(flow.check.state == .passed)
      #expect(flow.check.findings[1] == Finding(check: "light", result: .notAssessed(.declined)))
    }
  }

  @Test func `without an alternative, too little light fails`() throws {
    var flow = try Flow(gain: 0.01, alternative: false)
    flow.run { $0.state == .tracking }
    #expect(!flow.check.canDecline)
    flow.check.decline(at: .after(flow.time))
    flow.run()
    #expect(flow.check.state == .failed(.task(.tooLittleLight)))
  }

  @Test func `the observations of a client are never sufficient`() throws {
    var flow = try Flow(gain: 0.15)
    flow.run(isClaimed: true)
    #expect(flow.check.state == .failed(.task(.notMeasured)))
    let pose = HeadPose(yaw: 0, pitch: 0, roll: 0)
    let claim = ClientObservation(at: .zero, faceCount: 1, box: Footage.box, pose: pose, blendshapes: nil)
    guard case .face(let face) = TaskSample(claim).sight else {
      Issue.record("the observation must have a face")
      return
    }
    #expect(face.light == nil)
  }

  @Test func `a replaced task continues on another server`() throws {
    var flow = try Flow(gain: 0.15)
    flow.run { $0.state == .tracking }
    flow.check.decline(at: .after(flow.time))
    flow.run { $0.state == .tracking }
    let fresh = CheckStateMachine(plan: flow.check.plan, depth: .noDepth)
    flow.check = try `Binary state coding`.moved(
      flow.check, into: fresh, at: .after(flow.time), to: .after(flow.time)
    ).machine
    #expect(flow.check.current.task.kind == .headPath)
    flow.run()
    #expect(flow.check.state == .passed)
    #expect(flow.check.findings.count == 3)
  }

  @Test func `alternatives respect abilities`() throws {
    var generator = SeededGenerator(11)
    let task = LivenessTask.light(try .random(using: &generator))
    for raw in AccessibilityProfile.RawValue(1)...15 where raw != AccessibilityProfile.sight.rawValue {
      let able = AccessibilityProfile(rawValue: raw)
      let other = try #require(task.alternative(for: able, using: &generator))
      #expect(other.needs.isSubset(of: able) && other.bitsOfChoice >= task.bitsOfChoice)
    }
    #expect(task.alternative(for: .sight, using: &generator) == nil)
    #expect(
      try #require(LivenessTask.random(.blink, using: &generator)).alternative(for: .all, using: &generator) == nil)
  }
}
