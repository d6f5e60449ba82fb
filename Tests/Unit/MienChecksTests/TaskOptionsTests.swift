import Foundation
import MienLiveness
import MienCore
import MienStore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform

@Suite struct `Check tasks` {
  private static let requested = [
    TaskOptions(kind: "head-turn"), TaskOptions(kind: "complete-the-circle", difficulty: "hard"),
    TaskOptions(kind: "motions", maxNods: 2, maxBlinks: 3), TaskOptions(kind: "blink", timeout: 9000, maxBlinks: 7),
    TaskOptions(kind: "head-path"),
    TaskOptions(
      kind: "yes-or-no", questions: [.init(text: "Here?", answer: true), .init(text: "Gone?", answer: false)]),
  ]

  private static func seed(_ first: UInt8) -> [UInt8] { (0..<32).map { $0 == 0 ? first : 7 } }

  @Test func `tasks are determined by options and seed`() throws {
    let plan = try CheckTasks(requested: Self.requested, seed: Self.seed(1)).plan()
    #expect(plan == (try CheckTasks(requested: Self.requested, seed: Self.seed(1)).plan()))
    #expect(plan.tasks.map(\.kind.rawValue) == Self.requested.map(\.kind))
    #expect(plan.tasks[3].timeout == .seconds(9))
  }

  @Test func `another seed gives other tasks`() throws {
    let paths = try (0..<100).map { seed in
      try CheckTasks(requested: [TaskOptions(kind: "head-path")], seed: Self.seed(seed)).plan().tasks[0]
    }
    #expect(Set(paths).count == 100)
  }

  @Test func `a light task has an alternative of at least the same strength for the person's abilities`() throws {
    for (able, kind) in [(["neck", "sight", "mouth"], "head-path"), (["mouth", "sight"], "motions")] {
      let requested = [TaskOptions(kind: "light"), TaskOptions(kind: "blink")]
      let tasks = CheckTasks(requested: requested, seed: Self.seed(3), abilities: try AccessibilityOptions(able))
      let plan = try tasks.plan()
      #expect(plan == (try tasks.plan()))
      #expect(plan.tasks[0].kind == .light && plan.alternatives[1] == nil)
      let other = try #require(plan.alternatives[0])
      #expect(other.kind.rawValue == kind && other.bitsOfChoice >= plan.tasks[0].bitsOfChoice)
    }
    let sight = CheckTasks(
      requested: [TaskOptions(kind: "light")], seed: Self.seed(3), abilities: try AccessibilityOptions(["sight"]))
    #expect(try sight.plan().alternatives == [nil], "for people who cannot move, colors are the task that is left")
  }

  @Test(arguments: AssuranceLevel.allCases) func `a level determines the tasks`(level: AssuranceLevel) throws {
    let plan = try CheckTasks(of: level, seed: Self.seed(1)).plan()
    #expect(plan.bitsOfChoice >= level.minimumBits)
    #expect(plan == (try CheckTasks(of: level, seed: Self.seed(2)).drawn(with: Self.seed(1)).plan()))
    let stored = try JSONEncoder().encode(CheckTasks(of: level, seed: Self.seed(1)))
    #expect(try JSONDecoder().decode(CheckTasks.self, from: stored).plan() == plan)
  }

  @Test func `requested tasks precede the level and must reach one that is requested with them`() throws {
    func challenge(_ level: AssuranceLevel?, _ tasks: [TaskOptions]? = nil, side: Side? = nil) throws -> CheckChallenge
    {
      try CheckChallenge(assurance: level, standard: .standard, tasks: tasks, side: side, seed: Self.seed(3))
    }
    let path = [TaskOptions(kind: "head-path")]
    #expect(try challenge(nil).assurance == .standard)
    #expect(try challenge(nil, []).tasks?.kinds == ["head-path"])
    #expect(try challenge(.basic).tasks == nil && challenge(.basic).bitsOfChoice == 1)
    #expect(try challenge(nil, path).assurance == nil)
    #expect(try challenge(.standard, path).assurance == .standard)
    #expect(try challenge(nil, side: .subjectLeft).bitsOfChoice == 0)
    #expect(throws: ServiceError.self) { try challenge(.high, path) }
    #expect(throws: ServiceError.self) { try challenge(.basic, side: .subjectLeft) }
  }

  @Test(arguments: [
    TaskOptions(kind: "smile"), TaskOptions(kind: "blink", difficulty: "cruel"),
    TaskOptions(kind: "blink", timeout: -1),
    TaskOptions(kind: "blink", timeout: .max), TaskOptions(kind: "blink", maxBlinks: 0),
    TaskOptions(kind: "blink", maxNods: 1),
    TaskOptions(kind: "motions", maxNods: -1), TaskOptions(kind: "yes-or-no"),
    TaskOptions(kind: "head-turn", questions: []),
    TaskOptions(kind: "yes-or-no", questions: [.init(text: "", answer: true)]),
    TaskOptions(
      kind: "yes-or-no", questions: [.init(text: "a", answer: true, errorMessage: String(repeating: "b", count: 201))]),
  ])
  func `unsupported tasks are rejected`(options: TaskOptions) {
    #expect {
      try CheckTasks(requested: [options], seed: Self.seed(0)).plan()
    } throws: { error in
      (error as? ServiceError)?.code == .badValue
    }
  }

  @Test(arguments: [
    (["eyelids", "mouth", "sight"], ["motions", "blink", "motions", "motions", "motions"]),
    (["neck", "mouth", "sight"], ["complete-the-circle", "motions", "motions", "yes-or-no", "head-path"]),
    (["neck", "eyelids", "mouth"], ["complete-the-circle", "blink", "motions", "yes-or-no", "motions"]),
    (["eyelids"], ["motions", "blink", "motions", "motions", "motions"]),
  ])
  func `tasks a person cannot do are replaced by alternatives of equal strength`(able: [String], kinds: [String])
    throws
  {
    let requested =
      ["complete-the-circle", "blink", "motions"].map { TaskOptions(kind: $0) } + [Self.requested[5]]
      + [TaskOptions(kind: "head-path")]
    let abilities = try AccessibilityOptions(able)
    for seed in 0..<20 as Range<UInt8> {
      let twins = try CheckTasks(requested: requested, seed: Self.seed(seed), abilities: abilities).plan()
      #expect(twins.needs.isSubset(of: abilities.values))
      #expect(twins.tasks.map(\.kind.rawValue) == kinds)
      let own = try CheckTasks(requested: requested, seed: Self.seed(seed)).plan()
      for (twin, task) in zip(twins.tasks, own.tasks) where twin.kind != task.kind {
        #expect(twin.bitsOfChoice >= task.bitsOfChoice)
      }
    }
  }

  @Test(arguments: [["neck", "wings"], ["neck", "neck"], ["Neck"]])
  func `unknown abilities are rejected`(names: [String]) {
    #expect {
      _ = try AccessibilityOptions(names)
    } throws: { error in
      (error as? ServiceError)?.code == .badValue
    }
  }

  @Test(arguments: [[], ["sight"]])
  func `tasks without a possible alternative are rejected`(names: [String]) throws {
    let abilities = try AccessibilityOptions(names)
    let tasks = CheckTasks(requested: [TaskOptions(kind: "blink")], seed: Self.seed(0), abilities: abilities)
    for tasks in [tasks] + AssuranceLevel.allCases.map({ CheckTasks(of: $0, seed: Self.seed(0), abilities: abilities) })
    {
      #expect {
        try tasks.plan()
      } throws: { error in
        (error as? ServiceError)?.code == .badValue
      }
    }
  }

  @Test func `tasks stored without abilities are read`() throws {
    let old = #"{"requested":[{"kind":"blink"}],"seed":[1,2,3]}"#
    let tasks = try JSONDecoder().decode(CheckTasks.self, from: Data(old.utf8))
    #expect(tasks == CheckTasks(requested: [TaskOptions(kind: "blink")], seed: [1, 2, 3]))
  }

  @Test func `tasks are stored with the check`() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("mien-tasks-\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = try SQLiteStore(path: path)
    let tasks = CheckTasks(requested: Self.requested, seed: Self.seed(9))
    let sample = try sampleCheck()
    try await store.create(
      CheckRecord(
        id: sample.id, token: sample.token, created: sample.created, expires: sample.expires, side: sample.side,
        person: nil, expectsDepth: false, reference: nil, tasks: tasks))
    #expect(try await store.check(sample.id)?.record.tasks == tasks)
  }

  @Test func `a circle starts at the top toward the subject's left`() throws {
    var machine = CheckStateMachine(
      plan: try TaskPlan(.completeTheCircle(CircleTask(direction: .counterclockwise))), depth: .noDepth)
    var at = MonotonicInstant.zero
    func see(yaw: Float, pitch: Float) {
      let pose = HeadPose(yaw: yaw, pitch: pitch, roll: 0)
      let claim = ClientObservation(
        at: at, faceCount: 1, box: FaceBox(x: 0.3, y: 0.3, width: 0.3, height: 0.4), pose: pose, blendshapes: nil)
      machine.process(TaskSample(claim), hints: [])
      at = at + .milliseconds(50)
    }
    for _ in 0..<60 { see(yaw: 0, pitch: 0) }
    // Up, and slightly to the subject's left.
    for step in 0..<8 { see(yaw: Float(step) / 4, pitch: Float(step) * 1.6) }
    for step in 0..<6 { see(yaw: 2 + Float(step), pitch: 11.2) }
    let task = try #require(TaskStep(machine, requested: []))
    let sectors = try #require(task.prompt.sectors)
    #expect(task.prompt.direction == "subject-left-first")
    #expect(sectors.count == 12 && sectors[0], "the first sector is at the top, towards the subject's left")
    #expect(!sectors[5] && !sectors[6])
    let head = try #require(task.prompt.head)
    #expect(head.x > 0 && head.y > 0)
  }
}
