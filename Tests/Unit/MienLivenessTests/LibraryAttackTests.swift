import MienLiveness
import MienCore
import Testing

/// Attackers with 50 recordings of the subject performing other checks of the same level.
/// `Benchmarks/Sources/AttackTable` measures the same with 3,000 tries.
@Suite struct `Library of recordings` {
  static func passes(
    _ level: AssuranceLevel, _ method: LibraryAttacker.Method, tries: Int, delay: Double = 0,
    signalsRefuse: Bool = false, moves: Float = 1
  ) throws -> Int {
    var generator = SeededGenerator(3)
    var person = TaskPerson(&generator)
    person.jitter = 0.3
    let rest = person.rest
    var takes: [RecordedTake] = []
    for _ in 0..<50 {
      let plan = try #require(level.plan(using: &generator))
      // Between two recordings the subject moves a little.
      person.rest = rest + moves * SIMD3(generator.normal(), generator.normal(), generator.normal())
      let place = 0.02 * moves * SIMD3(generator.normal(), generator.normal(), generator.normal())
      let take = RecordedTake(of: plan, by: person, at: place, fps: 12, &generator)
      if take.passed { takes.append(take) }
    }
    #expect(takes.count > 45)
    let attacker = LibraryAttacker(takes, method, delay: delay)
    var passed = 0
    for _ in 0..<tries {
      let plan = try #require(level.plan(using: &generator))
      var signals = SimulatedSignals(generator)
      guard attacker.play(to: plan, &generator, &signals) == .passed else { continue }
      if !signalsRefuse || !signals.showsCuts { passed += 1 }
    }
    return passed
  }

  @Test(arguments: [AssuranceLevel.standard, .high]) func `the best recording does not pass`(_ level: AssuranceLevel)
    throws
  {
    #expect(try Self.passes(level, .whole, tries: 200) == 0)
  }

  @Test func `a recording of each side passes basic`() throws {
    #expect(try Self.passes(.basic, .whole, tries: 20) == 20)
  }

  /// Movement alone does not stop a program that cuts recordings at every prompt; the jumps of the face do.
  @Test func `recordings cut at each prompt follow the prompts but show the cuts`() throws {
    let moved = try Self.passes(.standard, .cut, tries: 40)
    let undetected = try Self.passes(.standard, .cut, tries: 40, signalsRefuse: true)
    #expect(moved > 10)
    #expect(undetected <= moved / 4, "\(undetected) of \(moved)")
  }

  /// Documents a limit: a program that waits for the time of a reaction before it cuts.
  @Test func `late cuts are often not detected`() throws {
    #expect(try Self.passes(.standard, .cut, tries: 40, delay: 0.4, signalsRefuse: true) > 5)
  }

  /// Documents a limit: recordings that fit each other exactly have no cuts.
  @Test func `cuts between recordings of a subject who did not move in between are not detected`() throws {
    #expect(try Self.passes(.standard, .cut, tries: 40, signalsRefuse: true, moves: 0) > 20)
  }

  @Test func `a check requests a new movement once for each waypoint`() throws {
    var generator = SeededGenerator(2)
    let plan = try #require(AssuranceLevel.standard.plan(using: &generator))
    let take = RecordedTake(of: plan, by: TaskPerson(&generator), fps: 15, &generator)
    var (machine, changes) = (CheckStateMachine(plan: plan, depth: .noDepth), [Int]())
    for (index, sample) in take.samples.enumerated() {
      let previous = machine.request
      machine.process(sample, hints: [])
      if machine.asksAnew(since: previous) { changes.append(index + 1) }
    }
    #expect(changes.count == 6)
    #expect(changes == take.marks.map(\.frame))
  }

  @Test(arguments: [AssuranceLevel.standard, .high]) func `people who follow the prompts show no cuts`(
    _ level: AssuranceLevel
  ) throws {
    var generator = SeededGenerator(11)
    var assessed = 0
    for number in 0..<60 {
      let plan = try #require(level.plan(using: &generator))
      let take = RecordedTake(of: plan, by: TaskPerson(&generator), fps: [8, 12, 15, 30][number % 4], &generator)
      guard take.passed else { continue }
      let found = try #require(take.signals(generator).cuts)
      if found.measure != nil { assessed += 1 }
      #expect(found.reason == nil, "\(found)")
    }
    #expect(assessed > 40)
  }

  @Test func `performances take as long as documented`() throws {
    for (level, longest) in [(AssuranceLevel.basic, 3.0), (.standard, 8), (.high, 18)] {
      var generator = SeededGenerator(4)
      var seconds: [Double] = []
      for _ in 0..<100 {
        let plan = try #require(level.plan(using: &generator))
        let take = RecordedTake(of: plan, by: TaskPerson(&generator), fps: 15, &generator)
        if take.passed { seconds.append(take.performance) }
      }
      #expect(seconds.count >= 97)
      #expect(seconds.sorted()[seconds.count / 2] <= longest)
    }
  }
}
