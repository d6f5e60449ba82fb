import MienLiveness
import MienCore
import Testing

@Suite struct `Motions task` {
  static func task(_ steps: [Motion], after pause: Double? = nil, _ difficulty: TaskDifficulty = .medium) throws
    -> LivenessTask
  {
    let pause = pause.map { Interval.seconds($0) }
    return .motions(try MotionsTask(steps: steps.map { .init($0, after: pause) }, difficulty: difficulty))
  }

  static func doing(_ motions: [Motion], every seconds: Double = 0.3, fps: Double = 20) -> TaskActing {
    var acting = TaskActing(fps: fps)
    acting.settle()
    for motion in motions {
      acting.hold(for: seconds)
      switch motion {
      case .nod: acting.nod()
      case .blink: acting.blink()
      case .mouth: acting.openMouth()
      case .closure: acting.blink(for: 1.3)
      }
    }
    acting.hold(for: 0.3)
    return acting
  }

  @Test(arguments: [10.0, 20, 60]) func `the requested motions pass in their order`(_ fps: Double) throws {
    for order in [[Motion.nod, .blink, .mouth], [.mouth, .mouth, .blink, .nod], [.blink, .blink, .nod, .nod]] {
      let acting = Self.doing(order, fps: fps)
      #expect(acting.state(of: try Self.task(order)) == .success)
      let events = acting.machine(of: try Self.task(order)).evidence.events.map(\.what)
      #expect(events == [.settled] + order.map { .motion($0) })
    }
  }

  @Test func `another order fails and an unrequested blink does not`() throws {
    #expect(Self.doing([.mouth, .nod]).state(of: try Self.task([.nod, .mouth])) == .failed(.wrongMotion))
    #expect(Self.doing([.nod, .nod]).state(of: try Self.task([.nod, .mouth])) == .failed(.wrongMotion))
    #expect(Self.doing([.mouth]).state(of: try Self.task([.blink])) == .failed(.wrongMotion))
    #expect(Self.doing([.blink, .nod, .blink, .mouth]).state(of: try Self.task([.nod, .mouth])) == .success)
  }

  @Test func `a long closure is not a blink and a blink is not a long closure`() throws {
    #expect(
      Self.doing([.closure, .blink, .closure]).state(of: try Self.task([.closure, .blink, .closure])) == .success)
    #expect(Self.doing([.closure]).state(of: try Self.task([.blink])) == .failed(.wrongMotion))
    #expect(Self.doing([.blink, .blink]).state(of: try Self.task([.closure])) == .tracking)
    // Eyes that stay closed for 4 s do not count as a closure.
    var acting = TaskActing()
    acting.settle()
    acting.blink(for: 4)
    #expect(acting.state(of: try Self.task([.closure])) == .tracking)
  }

  @Test func `the sequence is shown at once and each motion must start in time`() throws {
    let asked = [Motion.nod, .mouth, .blink]
    var acting = TaskActing()
    acting.settle()
    acting.hold(for: 0.3)
    #expect(acting.machine(of: try Self.task(asked)).sequence == asked)
    #expect(acting.machine(of: try Self.task(asked, after: 1.5)).sequence == asked)
    #expect(acting.machine(of: .blink(try BlinkTask(blinks: 2))).sequence == nil)
    #expect(Self.doing(asked, every: 5).state(of: try Self.task(asked)) == .success)
    let slow = Self.doing([.nod, .mouth], every: 8.5)
    #expect(slow.state(of: try Self.task([.nod, .mouth])) == .failed(.tooSlow))
    #expect(slow.state(of: try Self.task([.nod, .mouth], .easy)) == .success)
    acting.hold(for: 9)
    #expect(acting.state(of: try Self.task(asked)) == .failed(.tooSlow), "none has started")
  }

  @Test func `the next motion can start while the last one ends`() throws {
    var acting = TaskActing()
    acting.settle()
    acting.hold(for: 0.5)
    // The mouth opens while the head is on its way back.
    acting.move(pitch: -18, in: 0.35)
    acting.run(for: 0.35) { face, share in
      face.pitch = -18 * (1 - share)
      face.jawOpen = 0.6 * share
    }
    acting.run(for: 0.3) { face, share in face.jawOpen = 0.6 * (1 - share) }
    acting.hold(for: 0.3)
    #expect(acting.state(of: try Self.task([.nod, .mouth])) == .success)
  }

  @Test func `accessibility options extend the time limits`() throws {
    var generator = SeededGenerator(4)
    let turn = LivenessTask.headTurn(HeadTurnTask(side: .subjectLeft))
    guard case .motions(let twin)? = turn.twin(for: [.mouth], using: &generator) else {
      Issue.record("opening the mouth must be enough")
      return
    }
    #expect(twin.settings.start == .seconds(15))
  }

  @Test func `easy difficulty allows one mistake at a lower score`() throws {
    let acting = Self.doing([.mouth, .nod, .mouth])
    let machine = acting.machine(of: try Self.task([.nod, .mouth], .easy))
    #expect(machine.state == .success)
    guard case .genuine(let measure)? = machine.finding?.result else {
      Issue.record("a completed task must be genuine")
      return
    }
    #expect(measure.score.value == 0.5)
    #expect(Self.doing([.mouth, .mouth]).state(of: try Self.task([.nod, .mouth], .easy)) == .failed(.wrongMotion))
  }

  @Test func `an incomplete sequence does not pass`() throws {
    #expect(Self.doing([.nod]).stateAtEnd(of: try Self.task([.nod, .mouth])) == .failed(.tooSlow))
  }

  @Test func `a head that stays down or drifts has not nodded`() throws {
    var acting = TaskActing()
    acting.settle()
    acting.move(pitch: -18, in: 0.3)
    acting.hold(for: 3)
    acting.move(in: 0.3)
    #expect(acting.state(of: try Self.task([.nod])) == .tracking)
    acting = TaskActing()
    acting.settle()
    acting.move(pitch: -20, in: 5)
    acting.move(in: 5)
    #expect(acting.state(of: try Self.task([.nod], .easy)) == .tracking)
  }

  @Test func `a twitching or permanently open mouth is not a mouth opening`() throws {
    var acting = TaskActing()
    acting.settle()
    acting.openMouth(for: 0.05)
    acting.openMouth(for: 3)
    #expect(acting.state(of: try Self.task([.mouth])) == .tracking)
  }

  @Test func `eyelid movement during a nod is not a blink`() throws {
    var acting = TaskActing()
    acting.settle()
    acting.run(for: 0.3) { face, share in
      face.pitch = -20 * share
      face.eyeBlinkLeft = 0.1 + 0.5 * share
      face.eyeBlinkRight = 0.1 + 0.5 * share
    }
    acting.run(for: 0.3) { face, share in
      face.pitch = -20 * (1 - share)
      face.eyeBlinkLeft = 0.1 + 0.5 * (1 - share)
      face.eyeBlinkRight = 0.1 + 0.5 * (1 - share)
    }
    acting.hold(for: 0.5)
    #expect(acting.state(of: try Self.task([.nod, .blink])) == .tracking)
    #expect(acting.machine(of: try Self.task([.nod, .blink])).evidence.native == 1)
  }

  @Test func `with a pace early and late motions are rejected`() throws {
    let asked = [Motion.mouth, .nod]
    #expect(Self.doing(asked, every: 2).state(of: try Self.task(asked, after: 1.5)) == .success)
    #expect(Self.doing(asked, every: 1).state(of: try Self.task(asked, after: 1.5)) == .failed(.tooEarly))
    #expect(Self.doing(asked, every: 4.5).state(of: try Self.task(asked, after: 1.5)) == .failed(.tooSlow))
  }

  @Test func `with a pace the prompt waits`() throws {
    var acting = TaskActing()
    acting.settle()
    acting.hold(for: 1)
    let task = try Self.task([.mouth, .nod], after: 1.5)
    #expect(acting.machine(of: task).prompt == .motion(nil, index: 0, count: 2))
    acting.hold(for: 0.6)
    #expect(acting.machine(of: task).prompt == .motion(.mouth, index: 0, count: 2))
  }
}
