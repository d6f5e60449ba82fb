import MienLiveness
import MienCore
import Testing

/// Handling of missing and several faces in all tasks except the head turn, which has separate tests.
@Suite struct `Face loss during tasks` {
  static let kinds: [TaskKind] = [.completeTheCircle, .yesOrNo, .motions, .blink, .headPath]

  static func task(_ kind: TaskKind) throws -> LivenessTask {
    var generator = SeededGenerator(1)
    return try #require(TaskExamples.task(kind, .medium, &generator))
  }

  @Test(arguments: kinds) func `a face can be lost for half a second`(_ kind: TaskKind) throws {
    let task = try Self.task(kind)
    var acting = TaskActing()
    acting.settle()
    acting.noFace(for: 0.45)
    #expect(acting.machine(of: task).hint == .noFace)
    acting.hold(for: 0.3)
    #expect(acting.state(of: task) == .tracking)
    acting.noFace(for: 0.6)
    #expect(acting.state(of: task) == .failed(.faceLost))
  }

  @Test(arguments: kinds) func `several faces can be visible for half a second`(_ kind: TaskKind) throws {
    let task = try Self.task(kind)
    var acting = TaskActing()
    acting.settle()
    acting.severalFaces(for: 0.45)
    #expect(acting.machine(of: task).hint == .severalFaces)
    acting.hold(for: 0.3)
    #expect(acting.state(of: task) == .tracking)
    acting.severalFaces(for: 0.6)
    #expect(acting.state(of: task) == .failed(.severalFaces))
  }

  @Test(arguments: kinds) func `missing frames are tolerated for two seconds`(_ kind: TaskKind) throws {
    let task = try Self.task(kind)
    var acting = TaskActing()
    acting.settle()
    acting.time += 1.9
    acting.hold(for: 0.1)
    #expect(acting.state(of: task) == .tracking)
    acting.time += 2.1
    acting.hold(for: 0.1)
    #expect(acting.state(of: task) == .failed(.faceLost))
    var machine = TaskStateMachine(task)
    machine.beginTracking(at: .zero)
    #expect(machine.tick(at: .after(2.1)) == .failed(.faceLost))
    #expect(machine.finding == Finding(check: kind.rawValue, result: .notAssessed(.noFace)))
  }

  @Test(arguments: kinds) func `another face position or size is rejected`(_ kind: TaskKind) throws {
    let task = try Self.task(kind)
    let boxes: [FaceBox?] = [
      FaceBox(x: 0, y: 0.2, width: 0.4, height: 0.6), FaceBox(x: 0.4, y: 0.35, width: 0.2, height: 0.3), nil,
    ]
    for box in boxes {
      var acting = TaskActing()
      acting.settle()
      acting.face.box = box
      acting.hold(for: 0.1)
      #expect(acting.state(of: task) == .failed(.changedFace))
    }
    var acting = TaskActing()
    acting.face.box = nil
    acting.settle()
    #expect(acting.state(of: task) == .tracking, "a source without boxes is not checked for them")
  }

  @Test(arguments: kinds) func `timestamps must increase and an equal one counts once`(_ kind: TaskKind) throws {
    let task = try Self.task(kind)
    var acting = TaskActing()
    acting.settle()
    acting.samples.append(acting.samples[acting.samples.count - 1])
    #expect(acting.state(of: task) == .tracking)
    acting.time = 0.1
    acting.hold(for: 0.05)
    #expect(acting.state(of: task) == .failed(.timestampsBackwards))
  }

  @Test(arguments: kinds) func `a jumping head is rejected`(_ kind: TaskKind) throws {
    var acting = TaskActing()
    acting.settle()
    acting.face.yaw = 60
    acting.hold(for: 0.05)
    #expect(acting.state(of: try Self.task(kind)) == .failed(.wrongMovement))
  }

  @Test(arguments: kinds) func `a source without the required measures fails as not measured`(_ kind: TaskKind) throws {
    var acting = TaskActing()
    acting.face = TaskSample.Face(yaw: 0, box: Footage.box)
    acting.hold(for: 1)
    let machine = acting.machine(of: try Self.task(kind))
    #expect(machine.state == .failed(.notMeasured))
    #expect(machine.finding == Finding(check: kind.rawValue, result: .notAssessed(.noFace)))
  }

  @Test(arguments: kinds) func `no response times out`(_ kind: TaskKind) throws {
    var acting = TaskActing(fps: 5)
    acting.settle()
    let isTimed = kind == .headPath || kind == .motions
    #expect(acting.stateAtEnd(of: try Self.task(kind)) == (isTimed ? .failed(.tooSlow) : .timedOut(.timedOut)))
  }

  @Test(arguments: kinds) func `a head that never rests times out`(_ kind: TaskKind) throws {
    var acting = TaskActing(fps: 5)
    for number in 0..<300 { acting.move(yaw: number % 2 == 0 ? 12 : -12, in: 0.2) }
    let machine = acting.machine(of: try Self.task(kind))
    #expect(machine.state == .timedOut(.timedOut))
    #expect(machine.prompt == .faceCamera)
    guard case .notAssessed(.tooFewFrames)? = machine.finding?.result else {
      Issue.record("what was not measured was not assessed")
      return
    }
  }

  @Test func `an endless stream ends at the sample limit`() throws {
    let guards = try #require(FacePresenceSettings(maximumSamples: 16))
    var machine = TaskStateMachine(try Self.task(.blink), guards: guards)
    machine.beginTracking(at: .zero)
    var acting = TaskActing(fps: 100)
    acting.hold(for: 0.2)
    for sample in acting.samples { _ = machine.process(sample) }
    #expect(machine.state == .failed(.tooManyObservations))
  }

  @Test(arguments: TaskKind.allCases) func `input before the start and after the end is ignored`(_ kind: TaskKind)
    throws
  {
    var machine = TaskStateMachine(try Self.task(kind))
    var acting = TaskActing()
    acting.settle()
    #expect(machine.process(acting.samples[0]) == .ignored)
    #expect(machine.tick(at: .after(99)) == .ignored)
    #expect(machine.deadline == nil)
    machine.beginTracking(at: .after(5))
    #expect(machine.process(acting.samples[0]) == .ignored)
    #expect(machine.deadline == .after(5) + machine.task.timeout)
    _ = machine.tick(at: .after(500))
    #expect(machine.isOver)
    let state = machine.state
    #expect(machine.process(TaskSample(at: .after(501), sight: .noFace)) == .ignored)
    #expect(machine.tick(at: .after(600)) == .ignored)
    #expect(machine.state == state)
    #expect(machine.finding != nil)
  }

  @Test func `printing shows no number`() throws {
    for kind in TaskKind.allCases {
      var acting = TaskActing()
      acting.settle()
      let machine = acting.machine(of: try Self.task(kind))
      var text = "\(machine) \(machine.evidence)"
      dump(machine, to: &text)
      dump(machine.evidence, to: &text)
      #expect(!text.contains { $0.isNumber })
    }
  }
}
