import MienLiveness
import MienCore
import Testing

@Suite struct `Head-turn properties` {
  static let seeds = Array(0..<300)

  /// Returns a random person: brisk to slow (with at least five frames per direction), constant or smooth speed, 5 to
  /// 60 frames per second unless specified.
  static func person(_ generator: inout SeededGenerator, fps: Double? = nil) -> (
    turner: Turner, fps: Double, side: Side
  ) {
    let fps = fps ?? .random(in: 5...60, using: &generator)
    let briskest = max(0.35, 5 / fps)
    let turner = Turner(
      wait: .random(in: 0...1.5, using: &generator), out: .random(in: briskest...2.5, using: &generator),
      rest: .random(in: 0...1.5, using: &generator), back: .random(in: briskest...2.5, using: &generator),
      peak: .random(in: 32...75, using: &generator), smooth: .random(using: &generator),
      jitter: .random(in: 0...0.8, using: &generator))
    return (turner, fps, HeadTurnChallenge.choose(using: &generator))
  }

  @Test(arguments: seeds) func `turns of any speed pass and never for the other side`(_ seed: Int) {
    var generator = SeededGenerator(seed)
    let (turner, fps, side) = Self.person(&generator)
    let footage = turner.footage(side, fps: fps, generator: &generator)
    var machine = HeadTurnStateMachine.tracking(side)
    #expect(machine.process(all: footage.samples) == .success)
    machine = .tracking(side)
    #expect(machine.process(all: footage.mirrored) == .failed(.wrongDirection))
    machine = .tracking(side.opposite)
    #expect(machine.process(all: footage.samples) == .failed(.wrongDirection))
  }

  @Test(arguments: seeds) func `dropped frames do not matter`(_ seed: Int) {
    var generator = SeededGenerator(seed)
    let (turner, _, side) = Self.person(&generator, fps: 6)
    var samples = turner.footage(side, fps: 30, generator: &generator).samples
    samples.removeAll { _ in Int.random(in: 0..<3, using: &generator) == 0 }
    var machine = HeadTurnStateMachine.tracking(side)
    #expect(machine.process(all: samples) == .success)
  }

  @Test(arguments: seeds) func `ticks never change a result`(_ seed: Int) {
    var generator = SeededGenerator(seed)
    // A random mixture of samples, so that every outcome occurs.
    var footage = Footage(fps: .random(in: 5...30, using: &generator))
    var yaw: Float = 0
    while footage.time < 12 {
      switch Int.random(in: 0..<40, using: &generator) {
      case 0: footage.noFace(for: .random(in: 0...0.8, using: &generator))
      case 1: footage.severalFaces(for: .random(in: 0...0.8, using: &generator))
      case 2: footage.time += .random(in: 0...2.5, using: &generator)
      default:
        yaw = min(max(yaw + .random(in: -9...10, using: &generator), -24), 60)
        footage.face(yaw)
      }
    }
    footage.add(.noFace)
    var plain = HeadTurnStateMachine.tracking(.subjectLeft)
    var ticked = plain
    plain.process(all: footage.samples)
    var last = MonotonicInstant.zero
    for sample in footage.samples {
      let gap = sample.at.since(last).nanoseconds
      _ = ticked.tick(at: last + Interval(nanoseconds: .random(in: 0...max(gap, 0), using: &generator)))
      _ = ticked.process(sample)
      last = sample.at
    }
    #expect(plain.isOver)
    #expect(ticked.state == plain.state)
    #expect(ticked.evidence == plain.evidence)
  }

  @Test(arguments: seeds) func `noise of a still head never passes`(_ seed: Int) {
    var generator = SeededGenerator(seed)
    let fps = Double.random(in: 5...60, using: &generator)
    let pose = Float.random(in: -20...40, using: &generator)
    let deviation = Float.random(in: 0...4, using: &generator)
    var footage = Footage(fps: fps)
    while footage.time < 11 { footage.face(pose + deviation * generator.normal()) }
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: footage.samples)
    #expect(machine.isOver)
    #expect(machine.state != .success)
  }

  @Test(arguments: seeds) func `random yaw angles never pass`(_ seed: Int) {
    var generator = SeededGenerator(seed)
    let fps = Double.random(in: 5...60, using: &generator)
    var footage = Footage(fps: fps)
    while footage.time < 11 { footage.face(.random(in: -90...90, using: &generator)) }
    var machine = HeadTurnStateMachine.tracking(HeadTurnChallenge.choose(using: &generator))
    machine.process(all: footage.samples)
    #expect(machine.isOver)
    #expect(machine.state != .success)
  }

  @Test func `both sides are chosen with equal frequency`() {
    var generator = SeededGenerator(7)
    let left = (0..<10_000).count { _ in HeadTurnChallenge.choose(using: &generator) == .subjectLeft }
    #expect((4_800...5_200).contains(left))
  }

  @Test func `invalid settings are rejected`() {
    #expect(HeadTurnSettings() != nil)
    #expect(HeadTurnSettings(centerThreshold: 30) == nil)
    #expect(HeadTurnSettings(centerThreshold: .nan) == nil)
    #expect(HeadTurnSettings(farThreshold: 5) == nil)
    #expect(HeadTurnSettings(farThreshold: .infinity) == nil)
    #expect(HeadTurnSettings(timeLimit: .zero) == nil)
    #expect(HeadTurnSettings(faceLossGrace: .seconds(-1)) == nil)
    #expect(HeadTurnSettings(silenceGrace: .milliseconds(100)) == nil)
    #expect(HeadTurnSettings(jitterTolerance: -1) == nil)
    #expect(HeadTurnSettings(hesitation: 1) == nil)
    #expect(HeadTurnSettings(maximumSpeed: 0) == nil)
    #expect(HeadTurnSettings(minimumSamplesBetween: -1) == nil)
    #expect(HeadTurnSettings(maximumSamplesPerPhase: 0) == nil)
    #expect(HeadTurnSettings(maximumSizeRatio: 1) == nil)
  }
}
