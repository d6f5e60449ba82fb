import MienLiveness
import MienCore
import Testing

/// Check with a list of tasks.
@Suite struct `Checks with several tasks` {
  /// Simulated user who follows the prompt, and holds still when there is none.
  struct Flow {
    var check: CheckStateMachine
    var person: TaskPerson
    var randomness: SeededGenerator
    var time = 0.0
    var states: [CheckStateMachine.State] = []
    var positions: [Int] = []
    var fps = 20.0

    init(_ tasks: [LivenessTask], seed: Int = 1) throws {
      check = CheckStateMachine(plan: try TaskPlan(tasks), depth: .noDepth)
      randomness = SeededGenerator(seed)
      person = TaskPerson(&randomness)
      person.blinkLength = 0.4
    }

    mutating func frame(_ change: (inout TaskSample.Face) -> Void = { _ in }) {
      let prompt = check.state == .tracking ? check.prompt ?? .faceCamera : .faceCamera
      var face = person.face(at: time, showing: prompt, &randomness)
      change(&face)
      check.process(TaskSample(at: .after(time), sight: .face(face)), hints: [])
      note()
    }
    mutating func noFace(for seconds: Double) {
      let end = time + seconds
      while time < end {
        check.process(TaskSample(at: .after(time), sight: .noFace), hints: [.noFace])
        note()
      }
    }
    private mutating func note() {
      time += 1 / fps
      if states.last != check.state { states.append(check.state) }
      if positions.last != check.position.index { positions.append(check.position.index) }
    }
    mutating func run(until isDone: (CheckStateMachine) -> Bool) {
      while !isDone(check), !check.isOver, time < 200 { frame() }
    }
  }

  static func tasks(_ kinds: [TaskKind], seed: Int = 3) throws -> [LivenessTask] {
    var generator = SeededGenerator(seed)
    return try kinds.map { try #require(LivenessTask.random($0, using: &generator)) }
  }

  @Test func `tasks run in order, each with its instruction`() throws {
    let tasks = try Self.tasks([.completeTheCircle, .headTurn, .blink])
    var flow = try Flow(tasks)
    #expect(flow.check.task == nil)
    #expect(flow.check.prompt == nil)
    flow.run { $0.state == .instructing }
    #expect(flow.check.task == tasks[0])
    #expect(flow.check.instruction == .getReady)
    #expect(flow.check.side == nil)
    flow.run { $0.state == .tracking }
    #expect(flow.check.instruction == .holdStill, "the rest pose is being found")
    flow.run { $0.instruction == .perform }
    #expect(flow.check.state == .tracking)
    flow.run { $0.position.index == 1 }
    #expect(flow.check.state == .instructing)
    #expect(flow.check.side != nil)
    flow.run { $0.isOver }
    let once: [CheckStateMachine.State] = [.instructing, .tracking]
    #expect(flow.states == [.positioning] + once + once + once + [.passed])
    #expect(flow.positions == [0, 1, 2])
    #expect(flow.check.tasksDone == 3)
    #expect(flow.check.findings.map(\.check) == ["depth-gate", "complete-the-circle", "head-turn", "blink"])
    #expect(flow.check.taskEvidence.map(\.kind) == [.completeTheCircle, .headTurn, .blink])
    #expect(flow.check.evidence != nil)
    #expect(flow.check.progress == 1)
    #expect(flow.check.prompt == nil)
  }

  @Test func `the tasks of every level pass`() throws {
    for seed in 0..<6 {
      var generator = SeededGenerator(seed)
      let level = AssuranceLevel.allCases[seed % AssuranceLevel.allCases.count]
      let plan = try #require(level.plan(using: &generator))
      var flow = try Flow(plan.tasks, seed: seed)
      flow.run { $0.isOver }
      #expect(flow.check.state == .passed)
    }
  }

  @Test func `a failed task ends the check and later tasks are not assessed`() throws {
    let question = TaskQuestion(id: "a", answer: true)
    let ask = LivenessTask.yesOrNo(try YesOrNoTask(questions: [question]))
    var flow = try Flow([ask] + Self.tasks([.blink, .headTurn]))
    flow.person.answers = ["a": false]
    flow.run { $0.isOver }
    #expect(flow.check.state == .failed(.task(.wrongAnswer)))
    let findings = flow.check.findings
    #expect(findings.map(\.check) == ["depth-gate", "yes-or-no", "blink", "head-turn"])
    #expect(findings[2].result == .notAssessed(.tooFewFrames(0)))
    #expect(flow.check.state == .failed(.task(.wrongAnswer)))
  }

  @Test func `a task that takes too long times out the check`() throws {
    var flow = try Flow([.completeTheCircle(try CircleTask(timeout: .seconds(1)))])
    flow.run { $0.isOver }
    guard case .timedOut = flow.check.state else {
      Issue.record("one second is too short for a circle")
      return
    }
  }

  @Test func `a face may not leave or be replaced between tasks`() throws {
    let tasks = try Self.tasks([.headTurn, .blink])
    func between() throws -> Flow {
      var flow = try Flow(tasks)
      flow.run { $0.tasksDone == 1 }
      try #require(flow.check.state == .instructing)
      return flow
    }
    var flow = try between()
    flow.noFace(for: 0.3)
    #expect(flow.check.state == .instructing)
    flow.noFace(for: 0.4)
    #expect(flow.check.state == .failed(.headTurn(.faceLost)) || flow.check.state == .failed(.task(.faceLost)))
    flow = try between()
    flow.frame { $0.box = FaceBox(x: 0, y: 0.1, width: 0.2, height: 0.3) }
    #expect(flow.check.state == .failed(.task(.changedFace)))
    flow = try between()
    flow.check.tick(at: .after(flow.time + 2.5))
    #expect(flow.check.state == .failed(.task(.faceLost)))
    // Before the first task the face may disappear.
    flow = try Flow(tasks)
    flow.run { $0.state == .instructing }
    flow.noFace(for: 1)
    #expect(flow.check.state == .positioning)
  }

  @Test func `a source with yaw only supports only head turns`() throws {
    var check = CheckStateMachine(plan: try TaskPlan(Self.tasks([.blink])), depth: .noDepth)
    var time = 0.0
    while !check.isOver, time < 20 {
      check.process(HeadSample(at: .after(time), sight: .face(yaw: 0, box: Footage.box)), hints: [])
      time += 0.05
    }
    #expect(check.state == .failed(.task(.notMeasured)))
  }

  @Test func `failures have error codes`() {
    for failure in TaskFailure.allCases { #expect(CheckFailure.task(failure).code == failure.rawValue) }
    // The codes of head turns are included.
    for failure in HeadTurnFailure.allCases { #expect(TaskFailure(rawValue: failure.rawValue) != nil) }
  }
}
