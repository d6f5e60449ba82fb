import MienLiveness
import MienCore
import Testing

@Suite struct `Yes-or-no task` {
  static func task(_ answers: [Bool], _ difficulty: TaskDifficulty = .medium) throws -> LivenessTask {
    let questions = answers.enumerated().map { TaskQuestion(id: "q\($0.offset)", answer: $0.element) }
    return .yesOrNo(try YesOrNoTask(questions: questions, difficulty: difficulty))
  }

  static func tilting(_ rolls: [Float], fps: Double = 20) -> TaskActing {
    var acting = TaskActing(fps: fps)
    acting.settle()
    for roll in rolls { acting.tilt(roll) }
    return acting
  }

  @Test(arguments: [6.0, 10, 30]) func `right is yes and left is no`(_ fps: Double) throws {
    // A positive roll leans the top of the head to the subject's right.
    let acting = Self.tilting([22, -22, 22], fps: fps)
    #expect(acting.state(of: try Self.task([true, false, true])) == .success)
    let evidence = acting.machine(of: try Self.task([true, false, true])).evidence
    #expect(evidence.events.map(\.what) == [.settled, .answered(true), .answered(false), .answered(true)])
    #expect(evidence.native == 3)
  }

  @Test func `a wrong answer fails and the prompt still identifies the question`() throws {
    let machine = Self.tilting([22, 22]).machine(of: try Self.task([true, false, true]))
    #expect(machine.state == .failed(.wrongAnswer))
    #expect(machine.prompt == .question(index: 1, count: 3, id: "q1"))
    guard case .suspect(let measure, "wrong-answer")? = machine.finding?.result else {
      Issue.record("a wrong answer is suspect")
      return
    }
    #expect(measure.native == 1)
    #expect(measure.score.value == 0)
  }

  @Test func `the head must return upright between two questions`() throws {
    var acting = TaskActing()
    acting.settle()
    acting.hold(for: 0.4)
    acting.move(roll: 22, in: 0.3)
    acting.hold(for: 2)
    let machine = acting.machine(of: try Self.task([true, true]))
    #expect(machine.state == .tracking)
    #expect(machine.prompt == .upright(index: 1, count: 2))
    #expect(machine.evidence.native == 1)
    acting.move(in: 0.3)
    #expect(acting.machine(of: try Self.task([true, true])).prompt == .question(index: 1, count: 2, id: "q1"))
    #expect(acting.stateAtEnd(of: try Self.task([true, true])) == .timedOut(.notFinished))
  }

  @Test func `a small or short tilt is not an answer`() throws {
    var acting = Self.tilting([10, -10])
    #expect(acting.state(of: try Self.task([true])) == .tracking)
    #expect(acting.stateAtEnd(of: try Self.task([true])) == .timedOut(.timedOut))
    acting = TaskActing()
    acting.settle()
    acting.tilt(16, hold: 0)
    #expect(acting.state(of: try Self.task([true])) == .tracking)
  }

  @Test func `an answer before the reading time fails as too early`() throws {
    var acting = TaskActing()
    acting.hold(for: 0.4)
    acting.move(roll: -25, in: 0.1)
    acting.hold(for: 0.5)
    #expect(acting.state(of: try Self.task([false], .hard)) == .failed(.tooEarly))
  }

  @Test func `difficulty requires a clearer tilt`() throws {
    let acting = Self.tilting([15])
    #expect(acting.state(of: try Self.task([true], .easy)) == .success)
    #expect(acting.state(of: try Self.task([true], .medium)) == .success)
    #expect(acting.state(of: try Self.task([true], .hard)) == .tracking)
  }
}
