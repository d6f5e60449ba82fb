import MienLiveness
import MienCore
import Testing

/// Drives a check like the service: timed samples with matching hints.
struct CheckDriver {
  var check: CheckStateMachine
  var time = 0.0
  var fps = 20.0
  private var captures = 0

  init(_ depth: DepthReference, side: Side = .subjectLeft, settings: CheckSettings = .standard) {
    check = CheckStateMachine(side: side, depth: depth, settings: settings)
  }

  mutating func sample(_ sight: HeadSample.Sight, hints: [FramingHint]? = nil) {
    let usual: [FramingHint] =
      switch sight {
      case .face: []
      case .noFace: [.noFace]
      case .severalFaces: [.severalFaces]
      }
    check.process(HeadSample(at: .after(time), sight: sight), hints: hints ?? usual)
    time += 1 / fps
  }
  mutating func face(_ yaw: Float = 0, hints: [FramingHint]? = nil) {
    sample(.face(yaw: yaw, box: Footage.box), hints: hints)
  }
  mutating func faces(_ yaws: [Float]) { for yaw in yaws { face(yaw) } }
  mutating func hold(_ yaw: Float = 0, for seconds: Double, hints: [FramingHint]? = nil) {
    let end = time + seconds - 0.5 / fps
    while time < end { face(yaw, hints: hints) }
  }
  mutating func nobody(for seconds: Double) {
    let end = time + seconds - 0.5 / fps
    while time < end { sample(.noFace) }
  }
  /// Sends frames with a depth capture each.
  mutating func capture(_ measures: (Int) -> DepthMeasures, for seconds: Double) {
    let end = time + seconds - 0.5 / fps
    while time < end {
      check.process(depth: .measured(measures(captures)), at: .after(time))
      captures += 1
      face()
    }
  }
  mutating func turn(_ side: Side, peak: Float = 40) {
    for share in [0, 0.1, 0.25, 0.45, 0.7, 0.9, 1, 1, 0.85, 0.6, 0.4, 0.2, 0.05] as [Float] {
      face(side.yawSign * peak * share)
    }
  }

  /// Returns a check at the start of tracking, after its depth window ended with a flat board and a detected face.
  static func tracking(_ side: Side) throws -> CheckDriver {
    var driver = CheckDriver(.enrolled(try .ofFace()), side: side)
    driver.capture({ .board(index: $0) }, for: 5.1)
    driver.hold(for: 1.1)
    try #require(driver.check.state == .tracking)
    return driver
  }
}

/// Scenarios of the specification: the head turn within the complete check.
@Suite struct `Flow scenarios` {
  @Test func `fallback is triggered after five seconds without passing depth`() throws {
    var driver = CheckDriver(.enrolled(try .ofFace()))
    driver.capture({ .board(index: $0) }, for: 4.9)
    #expect(driver.check.state == .depth)
    #expect(driver.check.instruction == .holdStill)
    #expect(driver.check.side == nil)
    driver.capture({ .board(index: $0) }, for: 0.3)
    #expect(driver.check.state == .instructing)
    #expect(driver.check.instruction == .getReady)
    #expect(driver.check.side == .subjectLeft)
    driver.hold(for: 1)
    #expect(driver.check.state == .tracking)
    #expect(driver.check.instruction == .turn)
    #expect(driver.check.findings.map(\.check) == ["depth-gate"])
  }

  @Test(arguments: Side.allCases) func `a successful turn`(_ side: Side) throws {
    var driver = try CheckDriver.tracking(side)
    driver.turn(side)
    #expect(driver.check.state == .passed)
    #expect(driver.check.instruction == .done)
    #expect(driver.check.progress == 1)
    #expect(driver.check.findings.map(\.check) == ["depth-gate", "head-turn"])
    guard case .genuine(let measure)? = driver.check.findings.last?.result else {
      Issue.record("a completed turn must be genuine")
      return
    }
    #expect(measure.native == 40)
    #expect(measure.score.value == 1)
    #expect(measure.calibration == "head-turn-1")
  }

  @Test func `failure by timeout`() throws {
    var driver = try CheckDriver.tracking(.subjectLeft)
    driver.hold(1, for: 10.2)
    #expect(driver.check.state == .timedOut(.timedOut))
  }

  @Test(arguments: Side.allCases) func `failure by a wrong turn`(_ side: Side) throws {
    var driver = try CheckDriver.tracking(side)
    driver.turn(side.opposite)
    #expect(driver.check.state == .failed(.headTurn(.wrongDirection)))
    guard case .suspect(_, "wrong-direction")? = driver.check.findings.last?.result else {
      Issue.record("a wrong turn is suspect")
      return
    }
  }

  @Test func `failure by an insufficient turn`() throws {
    var driver = try CheckDriver.tracking(.subjectLeft)
    driver.turn(.subjectLeft, peak: 10)
    driver.hold(0, for: 10)
    #expect(driver.check.state == .timedOut(.turnedTooLittle))
  }

  @Test func `failure without a return`() throws {
    var driver = try CheckDriver.tracking(.subjectLeft)
    driver.faces([0, 6, 14, 22, 28])
    #expect(driver.check.instruction == .comeBack)
    driver.hold(30, for: 10)
    #expect(driver.check.state == .timedOut(.didNotReturn))
  }

  @Test func `loss of the face`() throws {
    var driver = try CheckDriver.tracking(.subjectLeft)
    driver.faces([0, 6, 12])
    driver.nobody(for: 0.4)
    #expect(driver.check.state == .tracking)
    #expect(driver.check.hints == [.noFace])
    driver.nobody(for: 0.3)
    #expect(driver.check.state == .failed(.headTurn(.faceLost)))
  }
}

@Suite struct `Check state machine` {
  @Test func `depth that meets the thresholds passes immediately`() throws {
    var driver = CheckDriver(.enrolled(try .ofFace()))
    driver.capture({ .face(index: $0) }, for: 1)
    #expect(driver.check.state == .passed)
    #expect(driver.check.findings.map(\.check) == ["depth-gate"])
    #expect(driver.check.evidence == nil)
    #expect(driver.check.side == nil)
  }

  @Test func `depth does not pass while several faces are visible`() throws {
    var driver = CheckDriver(.enrolled(try .ofFace()))
    for index in 0..<20 {
      driver.sample(.severalFaces(2))
      driver.check.process(depth: .measured(.face(index: index)), at: .after(driver.time))
    }
    #expect(driver.check.state == .positioning)
    #expect(driver.check.hints == [.severalFaces])
  }

  @Test func `a missing face fails when the wait for it ends`() throws {
    for basis in [DepthReference.enrolled(try .ofFace()), .noDepth, .notEnrolled] {
      var driver = CheckDriver(basis)
      driver.nobody(for: 30)
      #expect(driver.check.state == .positioning)
      #expect(driver.check.instruction == .positionFace)
      driver.nobody(for: 0.2)
      #expect(driver.check.state == .failed(.noFace))
      #expect(driver.check.findings.last == Finding(check: "head-turn", result: .notAssessed(.noFace)))
    }
  }

  @Test func `without depth three well-framed frames start the challenge`() {
    var driver = CheckDriver(.noDepth)
    driver.hold(for: 2, hints: [.tooFar])
    #expect(driver.check.state == .positioning)
    #expect(driver.check.hints == [.tooFar])
    driver.face()
    driver.face()
    #expect(driver.check.instruction == .holdStill)
    driver.face(hints: [.offCenter])
    driver.face()
    driver.face()
    #expect(driver.check.state == .positioning)
    driver.face()
    #expect(driver.check.state == .instructing)
    #expect(driver.check.remaining == .seconds(1))
    #expect(driver.check.findings == [Finding(check: "depth-gate", result: .notAssessed(.noDepth))])
    driver.hold(for: 1.05)
    driver.turn(.subjectLeft)
    #expect(driver.check.state == .passed)
  }

  @Test func `a badly framed face is challenged when the window closes`() {
    var driver = CheckDriver(.noDepth)
    driver.hold(for: 16, hints: [.tooDark])
    #expect(driver.check.state == .positioning)
    driver.hold(for: 0.2, hints: [.tooDark])
    #expect(driver.check.state == .instructing)
  }

  @Test func `the clock starts when a face has been in view for a second and stops when it is lost`() {
    var driver = CheckDriver(.noDepth)
    driver.nobody(for: 20)
    #expect(driver.check.remaining == .zero)
    driver.hold(for: 0.9, hints: [.tooFar])
    #expect(driver.check.remaining == .zero)
    driver.hold(for: 1.15, hints: [.tooFar])
    #expect(abs(driver.check.remaining.inSeconds - 14) < 0.11)
    driver.nobody(for: 1)
    #expect(driver.check.remaining == .zero)
    driver.nobody(for: 28)
    #expect(driver.check.state == .positioning, "the wait began again when the face was lost")
    driver.hold(for: 0.15)
    #expect(driver.check.state == .instructing, "a well-framed face need not wait for the clock")
  }

  @Test func `advice delays the check for eight seconds only`() {
    for hint in [FramingHint.faceCovered, .othersBehind] {
      var driver = CheckDriver(.noDepth)
      driver.hold(for: 8.9, hints: [hint])
      #expect(driver.check.state == .positioning && driver.check.hints == [hint])
      driver.hold(for: 0.3, hints: [hint])
      #expect(driver.check.state == .instructing)
    }
  }

  @Test func `a camera that repeats its frames is frozen after five seconds`() {
    var driver = CheckDriver(.noDepth)
    driver.face(hints: [.tooFar])
    for step in 1...50 { driver.check.processRepetition(at: .after(Double(step) / 10)) }
    #expect(driver.check.state == .positioning)
    driver.check.processRepetition(at: .after(5.2))
    #expect(driver.check.state == .failed(.frozenCamera))
    driver = CheckDriver(.noDepth)
    for step in 1...100 {
      driver.check.processRepetition(at: .after(driver.time - 0.01))
      driver.face(hints: step % 10 == 0 ? [.tooFar] : [.offCenter])
    }
    #expect(driver.check.state == .positioning, "a new frame in between is enough")
  }

  @Test func `without enrollment a face is sufficient`() {
    var driver = CheckDriver(.notEnrolled)
    driver.nobody(for: 1)
    driver.face(hints: [.tooFar])
    #expect(driver.check.state == .instructing)
    #expect(driver.check.findings == [Finding(check: "depth-gate", result: .notAssessed(.notEnrolled))])
  }

  @Test func `a face that leaves during the instruction is waited for`() {
    var driver = CheckDriver(.noDepth)
    driver.hold(for: 0.2)
    #expect(driver.check.state == .instructing)
    driver.nobody(for: 0.4)
    #expect(driver.check.state == .instructing)
    driver.nobody(for: 1)
    #expect(driver.check.state == .positioning)
    #expect(driver.check.side == .subjectLeft, "reported values do not change")
    driver.hold(for: 1.5)
    #expect(driver.check.state == .tracking)
    driver.turn(.subjectLeft)
    #expect(driver.check.state == .passed)
    driver = CheckDriver(.noDepth)
    driver.hold(for: 0.2)
    driver.nobody(for: 31)
    #expect(driver.check.state == .failed(.noFace))
  }

  @Test func `a frozen camera during the instruction is waited for up to a limit`() throws {
    var driver = CheckDriver(.noDepth)
    driver.hold(for: 0.2)
    try #require(driver.check.state == .instructing)
    driver.check.tick(at: .after(driver.time + 1))
    #expect(driver.check.state == .instructing)
    driver.check.tick(at: .after(driver.time + 3))
    #expect(driver.check.state == .positioning)
    driver.check.tick(at: .after(driver.time + 33))
    #expect(driver.check.state == .failed(.noFace))
  }

  @Test func `the ten-second timeout starts with a face and not with the end of the pause`() {
    var driver = CheckDriver(.noDepth)
    driver.hold(for: 0.9)
    driver.nobody(for: 0.4)
    #expect(driver.check.state == .instructing)
    driver.face()
    #expect(driver.check.state == .tracking)
    #expect(driver.check.remaining == .seconds(10))
  }

  @Test func `an initially turned head is asked to face the camera`() {
    var driver = CheckDriver(.noDepth)
    driver.hold(20, for: 1.5)
    #expect(driver.check.state == .tracking)
    #expect(driver.check.instruction == .comeBack)
  }

  @Test func `only lighting and turn hints are given during the turn`() throws {
    var driver = try CheckDriver.tracking(.subjectLeft)
    driver.hold(-18, for: 0.4, hints: [.offCenter, .tooDark])
    #expect(driver.check.hints == [.tooDark])
    driver.hold(-18, for: 0.2, hints: [.offCenter, .tooDark])
    #expect(driver.check.hints == [.otherWay, .tooDark])
    driver.face(-14, hints: [.tooDark])
    #expect(driver.check.hints == [.tooDark])
  }

  @Test func `decreasing timestamps fail in every state`() throws {
    for seconds in [0.1, 0.3, 2] {
      var driver = CheckDriver(.noDepth)
      driver.hold(for: seconds)
      driver.time = 0.01
      driver.face()
      #expect(driver.check.state == .failed(.headTurn(.timestampsBackwards)))
      #expect(driver.check.findings.count == 2)
    }
  }

  @Test func `nothing changes after the result`() throws {
    var driver = try CheckDriver.tracking(.subjectLeft)
    driver.turn(.subjectRight)
    let findings = driver.check.findings
    driver.turn(.subjectLeft)
    driver.capture({ .face(index: $0) }, for: 1)
    driver.check.tick(at: .after(100))
    #expect(driver.check.state == .failed(.headTurn(.wrongDirection)))
    #expect(driver.check.findings == findings)
    #expect(driver.check.remaining == .zero)
    #expect(driver.check.hints == [])
  }

  @Test func `a tick alone closes time windows`() throws {
    var check = CheckStateMachine(side: .subjectLeft, depth: .noDepth)
    #expect(check.remaining == .zero)
    check.tick(at: .after(1))
    check.tick(at: .after(31))
    #expect(check.state == .positioning)
    check.tick(at: .after(31.1))
    #expect(check.state == .failed(.noFace))
  }

  @Test(arguments: 0..<60) func `ticks never change a result`(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var plain = CheckStateMachine(side: .subjectLeft, depth: seed % 2 == 0 ? .noDepth : .enrolled(try .ofFace()))
    var ticked = plain
    var time = 0.0
    var yaw: Float = 0
    while time < 40 {
      let sight: HeadSample.Sight
      switch Int.random(in: 0..<30, using: &generator) {
      case 0:
        sight = .noFace
        time += .random(in: 0...0.6, using: &generator)
      case 1: sight = .severalFaces(2)
      default:
        yaw = min(max(yaw + .random(in: -9...9, using: &generator), -20), 60)
        sight = .face(yaw: yaw, box: Footage.box)
      }
      let sample = HeadSample(at: .after(time), sight: sight)
      let hints: [FramingHint] = Bool.random(using: &generator) ? [] : [.tooFar]
      plain.process(sample, hints: hints)
      ticked.process(sample, hints: hints)
      let step = Double.random(in: 0.01...0.3, using: &generator)
      ticked.tick(at: .after(time + step * .random(in: 0..<1, using: &generator)))
      time += step
    }
    #expect(plain.isOver)
    #expect(ticked.state == plain.state)
    #expect(ticked.findings == plain.findings)
  }

  @Test func `state is small and prints no number`() throws {
    #expect(MemoryLayout<CheckStateMachine>.size <= 1280)
    var driver = try CheckDriver.tracking(.subjectLeft)
    driver.faces([0, 12])
    var text = "\(driver.check)"
    dump(driver.check, to: &text)
    #expect(!text.contains { $0.isNumber })
  }

  @Test func `invalid settings are rejected`() {
    #expect(CheckSettings() != nil)
    #expect(CheckSettings(instructionPause: .seconds(-1)) == nil)
    #expect(CheckSettings(faceWindow: .zero) == nil)
    #expect(CheckSettings(framedFrames: 0) == nil)
    #expect(CheckSettings(waitingLimit: .zero) == nil)
    #expect(CheckSettings(facePresence: .seconds(11)) == nil)
    #expect(CheckSettings(frozenLimit: .zero) == nil)
    #expect(CheckSettings(adviceWindow: .seconds(-1)) == nil)
  }
}
