import MienLiveness
import MienCore
import Testing

@Suite struct `Randomness of tasks` {
  @Test func `bits match the number of choices`() throws {
    var generator = SeededGenerator(3)
    func bits(_ kind: TaskKind, _ difficulty: TaskDifficulty) throws -> Double {
      try #require(TaskExamples.task(kind, difficulty, &generator)).bitsOfChoice
    }
    #expect(try bits(.headTurn, .medium) == 1)
    #expect(try bits(.completeTheCircle, .easy) == 0)
    #expect(try bits(.completeTheCircle, .medium) == 1)
    #expect(try bits(.blink, .medium) == 2)
    // Two yes and two no: six orders.
    #expect(abs(try bits(.yesOrNo, .medium) - 2.585) < 0.001)
    // 3⁴ sequences, and 3⁵ of them at 3⁵ paces.
    #expect(abs(try bits(.motions, .medium) - 6.340) < 0.001)
    #expect(abs(try bits(.motions, .hard) - 15.850) < 0.001)
    // 8 · 7⁷ and 8 · 7⁹.
    #expect(abs(try bits(.headPath, .easy) - 22.651) < 0.001)
    #expect(abs(try bits(.headPath, .hard) - 28.266) < 0.001)
    // Of 3³ sequences, those without two blinks: 8 without one, and 3 · 4 with one.
    let limited = try MotionsTask.random(difficulty: .easy, maxBlinks: 1, using: &generator)
    #expect(abs(limited.bitsOfChoice - 4.3219) < 0.001)
  }

  @Test func `a fixed task has no bits`() throws {
    let questions = [TaskQuestion(id: "a", answer: true), TaskQuestion(id: "b", answer: false)]
    #expect(LivenessTask.headTurn(HeadTurnTask(side: .subjectLeft)).bitsOfChoice == 0)
    #expect(LivenessTask.yesOrNo(try YesOrNoTask(questions: questions)).bitsOfChoice == 0)
    #expect(LivenessTask.blink(try BlinkTask(blinks: 3)).bitsOfChoice == 0)
    #expect(LivenessTask.motions(try MotionsTask(steps: [.init(.nod)])).bitsOfChoice == 0)
    #expect(LivenessTask.headPath(try HeadPathTask(waypoints: [0, 1, 2, 3, 4, 5, 6, 7])).bitsOfChoice == 0)
  }

  @Test func `every sequence of motions is equally likely`() throws {
    var generator = SeededGenerator(11)
    var counts: [[Motion]: Int] = [:]
    for _ in 0..<20_000 {
      let task = try MotionsTask.random(difficulty: .easy, maxNods: 1, maxBlinks: 1, using: &generator)
      counts[task.steps.map(\.motion), default: 0] += 1
    }
    // Mouths only: 1; one nod or one blink: 3 each; one of both: 6.
    #expect(counts.count == 13)
    for count in counts.values { #expect((1300...1780).contains(count)) }
  }

  @Test func `every initial direction and path turn occurs with equal frequency`() throws {
    var generator = SeededGenerator(12)
    var first = Array(repeating: 0, count: 8)
    var turns = Array(repeating: 0, count: 8)
    for _ in 0..<8000 {
      let path = try HeadPathTask.random(using: &generator).waypoints
      first[path[0]] += 1
      turns[(path[5] - path[4] + 8) % 8] += 1
    }
    for count in first { #expect((850...1150).contains(count)) }
    #expect(turns[0] == 0)
    for count in turns.dropFirst() { #expect((1000...1290).contains(count)) }
  }

  static let abilities: [AccessibilityProfile] = [
    .all, [.eyelids, .mouth, .sight], [.neck, .eyelids, .mouth], [.eyelids], [.mouth, .sight], [.neck],
    [.neck, .sight],
  ]

  @Test(arguments: abilities) func `an accessible alternative needs only available abilities and is as strong`(
    _ abilities: AccessibilityProfile
  ) throws {
    var generator = SeededGenerator(Int(abilities.rawValue))
    for kind in TaskKind.allCases {
      for difficulty in TaskDifficulty.allCases {
        let task = try #require(TaskExamples.task(kind, difficulty, &generator))
        let twin = try #require(task.twin(for: abilities, using: &generator))
        #expect(twin.needs.isSubset(of: abilities))
        #expect(twin.bitsOfChoice >= task.bitsOfChoice)
        if task.needs.isSubset(of: abilities) { #expect(twin == task) }
      }
    }
    for level in AssuranceLevel.allCases {
      let plan = try #require(level.plan(for: abilities, using: &generator))
      #expect(plan.needs.isSubset(of: abilities))
      #expect(plan.bitsOfChoice >= level.minimumBits)
    }
  }

  @Test func `a person without any ability gets no task`() throws {
    var generator = SeededGenerator(4)
    let task = try #require(LivenessTask.random(.headPath, using: &generator))
    #expect(task.twin(for: [], using: &generator) == nil)
    #expect(task.twin(for: [.sight], using: &generator) == nil)
    #expect(AssuranceLevel.standard.plan(for: [], using: &generator) == nil)
  }

  @Test func `a long eye closure is requested only from people who cannot move`() throws {
    var generator = SeededGenerator(6)
    let task = try #require(LivenessTask.random(.headPath, using: &generator))
    func motions(_ abilities: AccessibilityProfile) throws -> Set<Motion> {
      guard case .motions(let twin)? = task.twin(for: abilities, using: &generator) else { return [] }
      return Set(twin.steps.map(\.motion))
    }
    #expect(try motions([.eyelids]) == [.blink, .closure])
    #expect(try motions([.eyelids, .mouth]).contains(.closure) == false)
  }

  @Test func `each level has its tasks`() throws {
    var generator = SeededGenerator(5)
    let kinds: [AssuranceLevel: [TaskKind]] = [
      .basic: [.headTurn], .standard: [.headPath], .high: [.headPath, .motions],
    ]
    for level in AssuranceLevel.allCases {
      let plans = try (0..<20).map { _ in try #require(level.plan(using: &generator)) }
      #expect(plans.allSatisfy { $0.tasks.map(\.kind) == kinds[level] && $0.bitsOfChoice >= level.minimumBits })
      #expect(Set(plans.map(\.tasks)).count == (level == .basic ? 2 : 20))
    }
    #expect(AssuranceLevel.basic < .standard && AssuranceLevel.standard < .high)
  }

  @Test func `a plan for fewer abilities has hardly more bits than the level requires`() throws {
    var generator = SeededGenerator(8)
    let plan = try #require(AssuranceLevel.high.plan(for: [.eyelids, .mouth], using: &generator))
    #expect(plan.tasks.map(\.kind) == [.motions])
    #expect(plan.bitsOfChoice < AssuranceLevel.high.minimumBits + 3)
  }
}
