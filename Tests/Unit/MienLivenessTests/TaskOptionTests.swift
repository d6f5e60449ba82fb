import MienLiveness
import MienCore
import Testing

@Suite struct `Task options` {
  static let unsupported: [Interval] = [.seconds(-1), .zero, .seconds(1e9), .milliseconds(999)]

  @Test(arguments: unsupported) func `out-of-range timeouts are rejected`(_ timeout: Interval) {
    let refusal = TaskError(.outOfRange, "timeout")
    var generator = SeededGenerator(1)
    let question = TaskQuestion(id: "a", answer: true)
    #expect(throws: refusal) { try CircleTask(timeout: timeout) }
    #expect(throws: refusal) { try BlinkTask(timeout: timeout) }
    #expect(throws: refusal) { try HeadPathTask(waypoints: [0, 1, 2, 3, 4, 5, 6, 7], timeout: timeout) }
    #expect(throws: refusal) { try YesOrNoTask(questions: [question], timeout: timeout) }
    #expect(throws: refusal) { try MotionsTask(steps: [.init(.nod)], timeout: timeout) }
    #expect(throws: refusal) { try HeadTurnTask.random(timeout: timeout, using: &generator) }
  }

  @Test(arguments: [-1, 0, 21, 1_000_000_000, .min, .max]) func `out-of-range counts are rejected`(_ count: Int) {
    var generator = SeededGenerator(1)
    #expect(throws: TaskError(.outOfRange, "maxBlinks")) { try BlinkTask(blinks: count) }
    #expect(throws: TaskError(.outOfRange, "maxBlinks")) { try BlinkTask.random(maxBlinks: count, using: &generator) }
    guard count != 0 else { return }
    #expect(throws: TaskError(.outOfRange, "maxNods")) { try MotionsTask.random(maxNods: count, using: &generator) }
    #expect(throws: TaskError(.outOfRange, "maxBlinks")) { try MotionsTask.random(maxBlinks: count, using: &generator) }
  }

  @Test func `questions must be nonempty, named and distinct`() {
    let good = TaskQuestion(id: "ready", answer: true)
    #expect(throws: TaskError(.emptyQuestions, "questions")) { try YesOrNoTask(questions: []) }
    #expect(throws: TaskError(.repeatedQuestion, "questions")) { try YesOrNoTask(questions: [good, good]) }
    for id in ["", "a b", "é", String(repeating: "x", count: 65)] {
      let bad = TaskQuestion(id: id, answer: true)
      #expect(throws: TaskError(.badQuestion, "questions")) { try YesOrNoTask(questions: [good, bad]) }
    }
    let many = (0...YesOrNoTask.maximumQuestions).map { TaskQuestion(id: "q\($0)", answer: true) }
    #expect(throws: TaskError(.outOfRange, "questions")) { try YesOrNoTask(questions: many) }
  }

  @Test func `paths must be long enough and move`() {
    #expect(throws: TaskError(.outOfRange, "waypoints")) { try HeadPathTask(waypoints: []) }
    #expect(throws: TaskError(.outOfRange, "waypoints")) { try HeadPathTask(waypoints: [0, 1, 2, 3]) }
    #expect(throws: TaskError(.badPath, "waypoints")) { try HeadPathTask(waypoints: [0, 1, 2, 3, 4, 5, 6, 8]) }
    #expect(throws: TaskError(.badPath, "waypoints")) { try HeadPathTask(waypoints: [0, 1, 2, 2, 4, 5, 6, 7]) }
    #expect(throws: TaskError(.badPath, "waypoints")) { try HeadPathTask(waypoints: [-1, 1, 2, 3, 4, 5, 6, 7]) }
  }

  @Test func `motions and plans must request a limited amount`() {
    var generator = SeededGenerator(1)
    #expect(throws: TaskError(.nothingAsked, "motions")) { try MotionsTask(steps: []) }
    #expect(throws: TaskError(.outOfRange, "motions")) {
      try MotionsTask(steps: Array(repeating: .init(.nod), count: 25))
    }
    #expect(throws: TaskError(.outOfRange, "pause")) {
      try MotionsTask(steps: [.init(.nod, after: .seconds(1e9))])
    }
    #expect(throws: TaskError(.nothingAsked, "motions")) { try MotionsTask.random(of: [], bits: 2, using: &generator) }
    #expect(throws: TaskError(.outOfRange, "bits")) { try MotionsTask.random(of: [.nod], bits: 99, using: &generator) }
    #expect(throws: TaskError(.emptyPlan, "tasks")) { try TaskPlan([]) }
    let blink = LivenessTask.random(.blink, using: &generator)
    #expect(throws: TaskError(.tooManyTasks, "tasks")) { try TaskPlan((0..<9).compactMap { _ in blink }) }
    #expect(TaskError(.outOfRange, "maxNods").description == "maxNods: out-of-range")
  }

  @Test func `invalid settings are rejected and defaults exist`() {
    for difficulty in TaskDifficulty.allCases {
      _ = CircleSettings.standard(difficulty)
      _ = YesOrNoSettings.standard(difficulty)
      _ = MotionsSettings.standard(difficulty)
      _ = BlinkSettings.standard(difficulty)
      _ = HeadPathSettings.standard(difficulty)
    }
    #expect(FacePresenceSettings(maximumSpeed: .nan) == nil)
    #expect(FacePresenceSettings(silenceGrace: .zero) == nil)
    #expect(FacePresenceSettings(maximumSamples: 0) == nil)
    #expect(CircleSettings(sectors: 33) == nil)
    #expect(CircleSettings(minimumRadius: 20, maximumRadius: 10) == nil)
    #expect(CircleSettings(pitchWeight: .infinity) == nil)
    #expect(YesOrNoSettings(tilt: 5, upright: 6) == nil)
    #expect(YesOrNoSettings(hold: .seconds(-1)) == nil)
    #expect(MotionsSettings(mouthOpen: 0.1, mouthClosed: 0.2) == nil)
    #expect(MotionsSettings(nodDepth: .nan) == nil)
    #expect(MotionsSettings(forgiven: -1) == nil)
    #expect(BlinkSettings(closingRise: 0) == nil)
    #expect(BlinkSettings(eachEyeRise: 0.5) == nil)
    #expect(BlinkSettings(longestClosure: .zero) == nil)
    #expect(HeadPathSettings(capture: 0.5) == nil)
    #expect(HeadPathSettings(corridor: 0.2) == nil)
    #expect(HeadPathSettings(glide: .zero) == nil)
  }

  @Test func `limits of nods and blinks are enforced`() throws {
    for seed in 0..<200 {
      var generator = SeededGenerator(seed)
      let task = try MotionsTask.random(difficulty: .hard, maxNods: 1, maxBlinks: 0, using: &generator)
      #expect(task.steps.count == 5)
      #expect(task.steps.count { $0.motion == .nod } <= 1)
      #expect(!task.steps.contains { $0.motion == .blink })
      #expect(task.needs.isSubset(of: [.neck, .mouth]))
    }
  }
}
