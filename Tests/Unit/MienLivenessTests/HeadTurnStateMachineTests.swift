import MienLiveness
import MienCore
import Testing

@Suite struct `Head-turn state machine` {
  // MARK: States

  @Test func `tracking starts after the task is issued`() {
    var machine = HeadTurnStateMachine(side: .subjectLeft)
    let sample = HeadSample(at: .zero, sight: .face(yaw: 0, box: nil))
    #expect(machine.state == .idle)
    #expect(machine.deadline == nil)
    #expect(machine.process(sample) == .ignored)
    machine.beginTracking(at: .zero)
    #expect(machine.state == .idle)
    machine.issue()
    #expect(machine.process(sample) == .ignored)
    #expect(machine.tick(at: .after(100)) == .ignored)
    machine.beginTracking(at: .after(3))
    #expect(machine.state == .tracking(.facing))
    #expect(machine.deadline == .after(13))
    #expect(machine.process(sample) == .ignored, "a frame from before tracking does not count")
    #expect(machine.process(HeadSample(at: .after(3), sight: .face(yaw: 0, box: nil))) == .inProgress)
  }

  @Test func `input after the result is ignored`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([0, 10, 20, 28, 15, 4]).samples)
    #expect(machine.state == .success)
    #expect(machine.isOver)
    let evidence = machine.evidence
    #expect(machine.process(HeadSample(at: .zero, sight: .noFace)) == .ignored)
    #expect(machine.process(HeadSample(at: .after(2), sight: .face(yaw: -80, box: nil))) == .ignored)
    #expect(machine.tick(at: .after(60)) == .ignored)
    machine.issue()
    machine.beginTracking(at: .after(60))
    #expect(machine.state == .success)
    #expect(machine.evidence == evidence)
    #expect(machine.progress == 1)
  }

  @Test func `a head turned at the start must face the camera first`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([30, 31, 29, 20, 10]).samples)
    #expect(machine.state == .tracking(.facing))
    var late = HeadTurnStateMachine.tracking(.subjectLeft)
    late.process(all: Footage([30, 20, 10, 2, 12, 27, 14, 3]).samples)
    #expect(late.state == .success)
    #expect(late.evidence.outboundPath == [2, 12, 27])
  }

  @Test func `a return before P2 restarts the way out`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([0, 10, 18, 9, 1, 2, 13, 27, 14, 3]).samples)
    #expect(machine.state == .success)
    #expect(machine.evidence.outboundPath == [2, 13, 27])
    #expect(machine.evidence.returnPath == [14, 3])
  }

  @Test func `progress follows the head angle`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    #expect(machine.progress == 0)
    machine.process(all: Footage([0, 12.5]).samples)
    #expect(machine.progress == 0.25)
    machine = .tracking(.subjectLeft)
    machine.process(all: Footage([0, 12.5, 26, 15]).samples)
    #expect(machine.progress == 0.75)
  }

  // MARK: Movement

  @Test func `an evenly turning head passes`() {
    for fps in [5.0, 10, 30, 60] {
      var generator = SeededGenerator(1)
      let turner = Turner(wait: 0.5, out: 1, rest: 0, back: 1, peak: 40, smooth: false)
      var machine = HeadTurnStateMachine.tracking(.subjectLeft)
      machine.process(all: turner.footage(.subjectLeft, fps: fps, generator: &generator).samples)
      #expect(machine.state == .success, "at \(fps) fps")
    }
  }

  @Test func `continuing outward to a far peak is the right direction`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([0, 12, 26, 40, 55, 62, 61, 60, 40, 20, 2]).samples)
    #expect(machine.state == .success)
    #expect(machine.evidence.wrongReturn == 0)
    #expect(machine.evidence.peakYaw == 62)
  }

  @Test(arguments: [
    ("a hesitation on the way out", [0, 8, 14, 9, 16, 27, 14, 3] as [Float], HeadTurnStateMachine.State.success),
    ("a long retreat on the way out", [0, 12, 24, 8, 20, 27, 14, 3], .failed(.wrongMovement)),
    ("a hesitation on the way back", [0, 12, 27, 20, 13, 18, 10, 3], .success),
    ("turning out again on the way back", [0, 12, 27, 14, 7, 24, 10, 3], .failed(.wrongMovement)),
    ("shaking", [0, 12, 6, 14, 7, 15, 8, 16, 9, 27, 14, 3], .failed(.wrongMovement)),
  ]) func `direction is judged within a tolerance`(
    _ name: String, _ yaws: [Float], _ state: HeadTurnStateMachine.State
  ) {
    for side in Side.allCases {
      var machine = HeadTurnStateMachine.tracking(side)
      machine.process(all: Footage(yaws.map { $0 * side.yawSign }).samples)
      #expect(machine.state == state, "\(name), \(side.rawValue)")
    }
  }

  @Test func `a jumping head is rejected`() {
    // 40° in 1/30 s are 1200° per second.
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([0, 40, 0], fps: 30).samples)
    #expect(machine.state == .failed(.wrongMovement))
    // An equal step within 180 ms, with missing faces in between.
    var footage = Footage([0, 10], fps: 30)
    footage.noFace(for: 0.15)
    footage.faces([50, 35, 20, 10, 0])
    machine = .tracking(.subjectLeft)
    machine.process(all: footage.samples)
    #expect(machine.state == .success)
  }

  @Test(arguments: [1.0 / 30, 0.2, 0.4]) func `two alternating photographs are not a movement`(_ swap: Double) {
    var footage = Footage(fps: 30)
    footage.hold(1, for: 1)
    footage.noFace(for: swap - 1.0 / 30)
    footage.hold(30, for: 1)
    footage.noFace(for: swap - 1.0 / 30)
    footage.hold(1.5, for: 1)
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    #expect(machine.process(all: footage.samples) == .failed(.tooFewFrames))
  }

  @Test func `a turn whose frames show only its ends has too few frames`() {
    for yaws in [[0, 12, 27, 2], [0, 12, 27, 26, 2], [0, 27, 15, 2], [0, 27, 2]] as [[Float]] {
      var machine = HeadTurnStateMachine.tracking(.subjectLeft)
      machine.process(all: Footage(yaws, fps: 4).samples)
      #expect(machine.state == .failed(.tooFewFrames), "\(yaws)")
    }
  }

  @Test func `insufficiently distinct changes are static`() {
    // The two directions differ by about 7.7 + 7.3 degrees per frame.
    let yaws: [Float] = [3, 10, 20, 26, 15, 10, 4]
    for (minimum, state) in [(14, .success), (16, .failed(.static))] as [(Float, HeadTurnStateMachine.State)] {
      let settings = HeadTurnSettings(minimumDistinctChange: minimum)
      #expect(settings != nil)
      var machine = HeadTurnStateMachine.tracking(.subjectLeft, settings ?? .standard)
      machine.process(all: Footage(yaws).samples)
      #expect(machine.state == state)
    }
  }

  @Test func `a small wrong turn only gives a hint, past a margin and after half a second`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([0, -8, -14, -14, -14, -14, -14, -14, -14]).samples)
    #expect(machine.hint == nil)
    machine = .tracking(.subjectLeft)
    machine.process(all: Footage([0, -8, -20, -20, -20, -20, -20]).samples)
    #expect(machine.hint == nil)
    machine = .tracking(.subjectLeft)
    machine.process(all: Footage([0, -8, -20, -20, -20, -20, -20, -20]).samples)
    #expect(machine.hint == .otherWay)
    #expect(machine.state == .tracking(.turningOut))
    machine = .tracking(.subjectLeft)
    machine.process(all: Footage([0, -8, -20, -8, 0, 12, 27, 12, 0]).samples)
    #expect(machine.state == .success)
  }

  // MARK: Time

  @Test func `the timeout starts with tracking and includes its last instant`() {
    var footage = Footage([0, 12, 27])
    footage.hold(14, for: 9.65)
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: footage.samples)
    #expect(machine.state == .tracking(.turningBack))
    #expect(machine.tick(at: .after(10)) == .inProgress)
    var late = machine
    #expect(machine.process(HeadSample(at: .after(10), sight: .face(yaw: 4, box: Footage.box))) == .success)
    #expect(
      late.process(
        HeadSample(at: MonotonicInstant(nanoseconds: 10_000_000_001), sight: .face(yaw: 4, box: Footage.box)))
        == .timedOut(.didNotReturn))
    #expect(late.evidence.duration == .seconds(10))
  }

  @Test func `a head that never faces the camera times out`() {
    var footage = Footage()
    footage.hold(30, for: 11)
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    #expect(machine.process(all: footage.samples) == .timedOut(.timedOut))
  }

  @Test func `a decreasing timestamp fails and an equal one is ignored`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([0, 10]).samples)
    #expect(machine.process(HeadSample(at: .after(0.1), sight: .face(yaw: 60, box: nil))) == .ignored)
    #expect(machine.state == .tracking(.turningOut))
    #expect(machine.process(HeadSample(at: .after(0.05), sight: .noFace)) == .failed(.timestampsBackwards))
  }

  @Test func `extreme timestamps do not trap`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    #expect(machine.process(HeadSample(at: MonotonicInstant(nanoseconds: .min), sight: .noFace)) == .ignored)
    #expect(machine.process(HeadSample(at: MonotonicInstant(nanoseconds: .max), sight: .noFace)) == .failed(.faceLost))
    machine = HeadTurnStateMachine(side: .subjectLeft)
    machine.issue()
    machine.beginTracking(at: MonotonicInstant(nanoseconds: .max))
    #expect(
      machine.process(HeadSample(at: MonotonicInstant(nanoseconds: .max), sight: .face(yaw: 0, box: nil)))
        == .inProgress)
  }

  @Test func `more samples in a phase than allowed end it`() {
    let settings = HeadTurnSettings(maximumSamplesPerPhase: 100)
    var footage = Footage(fps: 60)
    footage.hold(0, for: 3)
    var machine = HeadTurnStateMachine.tracking(.subjectLeft, settings ?? .standard)
    #expect(machine.process(all: footage.samples) == .failed(.tooManyObservations))
  }

  // MARK: Description

  @Test func `printing shows no angle`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([1, 12, 27.5]).samples)
    let sample = HeadSample(at: .zero, sight: .face(yaw: 27.5, box: nil))
    var text = "\(machine)\(machine.evidence)\(sample)\(sample.sight)"
    dump(machine, to: &text)
    dump(machine.evidence, to: &text)
    dump(sample, to: &text)
    #expect(!text.contains { $0.isNumber })
  }
}
