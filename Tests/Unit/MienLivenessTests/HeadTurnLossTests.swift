import MienLiveness
import MienCore
import Testing

@Suite struct `Face loss during the head turn` {
  @Test(arguments: [(0.45, true), (0.55, true), (0.75, false)])
  func `a loss within the grace period is tolerated`(_ gap: Double, _ passes: Bool) {
    // The grace period lasts from the first frame without a face to the next frame with one.
    var footage = Footage([0, 5, 10, 15], fps: 20)
    footage.noFace(for: gap - 0.05)
    footage.faces([20, 27, 20, 12, 4])
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    let step = machine.process(all: footage.samples)
    #expect(step == (passes ? .success : .failed(.faceLost)))
  }

  @Test func `a longer loss gives hints and then fails`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([0, 10]).samples)
    #expect(machine.process(HeadSample(at: .after(0.2), sight: .noFace)) == .inProgress)
    #expect(machine.hint == .noFace)
    #expect(machine.tick(at: .after(0.7)) == .inProgress)
    #expect(machine.tick(at: .after(0.71)) == .failed(.faceLost))
    #expect(machine.hint == nil)
  }

  @Test func `a loss beyond P2 gives a hint to return`() {
    var footage = Footage([0, 12, 27, 50])
    footage.noFace(for: 1.8)
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: footage.samples)
    #expect(machine.hint == .comeBack)
    #expect(machine.state == .tracking(.turningBack))
    var away = machine
    footage.faces([48, 30, 15, 3])
    #expect(machine.process(all: Array(footage.samples.suffix(4))) == .success)
    #expect(away.tick(at: .after(2.4)) == .inProgress)
    #expect(away.tick(at: .after(2.41)) == .failed(.faceLost))
  }

  @Test func `a loss within 25 degrees on the way back has the short grace period`() {
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([0, 12, 27, 24]).samples)
    machine.process(all: [HeadSample(at: .after(0.4), sight: .noFace)])
    #expect(machine.hint == .noFace)
    #expect(machine.tick(at: .after(1)) == .failed(.faceLost))
  }

  @Test(
    arguments: [
      ("the same position", FaceBox(x: 0.3, y: 0.2, width: 0.4, height: 0.6), true),
      ("a head that moved a little", FaceBox(x: 0.4, y: 0.25, width: 0.35, height: 0.6), true),
      ("another position", FaceBox(x: 0.75, y: 0.2, width: 0.4, height: 0.6), false),
      ("far above", FaceBox(x: 0.3, y: -0.45, width: 0.4, height: 0.6), false),
      ("a small face", FaceBox(x: 0.42, y: 0.38, width: 0.16, height: 0.24), false),
      ("a large face", FaceBox(x: 0.05, y: -0.2, width: 0.9, height: 1.4), false),
      ("no position", nil, false),
    ] as [(String, FaceBox?, Bool)])
  func `a face with another position or size after a loss is another face`(
    _ name: String, _ box: FaceBox?, _ passes: Bool
  ) {
    var footage = Footage([0, 12, 27, 50])
    footage.noFace(for: 1)
    for yaw in [48, 30, 15, 3] as [Float] { footage.face(yaw, box: box) }
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    #expect(machine.process(all: footage.samples) == (passes ? .success : .failed(.changedFace)), "\(name)")
  }

  @Test func `a source without positions is assessed by its angles`() {
    var footage = Footage()
    for yaw in [0, 12, 27, 50, 30, 15, 3] as [Float] { footage.face(yaw, box: nil) }
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    #expect(machine.process(all: footage.samples) == .success)
  }

  @Test func `several faces are tolerated for the grace period`() {
    var footage = Footage([0, 10])
    footage.severalFaces(for: 0.5)
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: footage.samples)
    #expect(machine.hint == .severalFaces)
    var alone = machine
    footage.faces([15, 27, 14, 3])
    #expect(alone.process(all: Array(footage.samples.suffix(4))) == .success)
    #expect(machine.tick(at: .after(0.75)) == .failed(.severalFaces))
  }

  @Test func `alternating several faces and no face does not extend the grace period`() {
    var footage = Footage([0])
    for _ in 0..<4 {
      footage.severalFaces(for: 0.1)
      footage.noFace(for: 0.1)
    }
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    #expect(machine.process(all: footage.samples) == .failed(.severalFaces))
  }

  @Test func `a stalled network has a longer grace period than a missing face`() {
    let next = HeadSample(at: .after(1.5), sight: .face(yaw: 12, box: Footage.box))
    var machine = HeadTurnStateMachine.tracking(.subjectLeft)
    machine.process(all: Footage([0]).samples)
    #expect(machine.tick(at: .after(1.4)) == .inProgress)
    #expect(machine.process(next) == .inProgress)
    #expect(machine.tick(at: .after(3.6)) == .failed(.faceLost))
    machine = .tracking(.subjectLeft)
    #expect(machine.tick(at: .after(2.1)) == .failed(.faceLost), "and nothing at all from the start counts too")
  }

  @Test func `implausible values count as no face`() {
    let huge = FaceBox(x: 0, y: 0, width: .infinity, height: 1)
    for sight: HeadSample.Sight in [
      .face(yaw: .nan, box: nil), .face(yaw: .infinity, box: nil), .face(yaw: 1e9, box: nil),
      .face(yaw: 0, box: huge), .severalFaces(0), .severalFaces(-3),
    ] {
      #expect(HeadSample(at: .zero, sight: sight).sight == .noFace)
    }
  }

  @Test func `a client observation is converted to a sample`() {
    let pose = HeadPose(yaw: 12, pitch: 0, roll: 0)
    func sight(_ count: Int?, _ pose: HeadPose?) -> HeadSample.Sight {
      HeadSample(ClientObservation(at: .zero, faceCount: count, box: nil, pose: pose, blendshapes: nil)).sight
    }
    #expect(sight(nil, pose) == .face(yaw: 12, box: nil))
    #expect(sight(1, pose) == .face(yaw: 12, box: nil))
    #expect(sight(0, pose) == .noFace)
    #expect(sight(2, pose) == .severalFaces(2))
    #expect(sight(1, nil) == .noFace)
    #expect(sight(1, HeadPose(yaw: .nan, pitch: 0, roll: 0)) == .noFace)
  }
}
