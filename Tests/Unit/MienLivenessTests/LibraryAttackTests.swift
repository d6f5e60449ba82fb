import MienLiveness
import MienCore
import Testing

/// Attackers with 50 recordings of the subject performing other checks of the same level.
/// `Benchmarks/Sources/AttackTable` measures the same with 3,000 tries.
@Suite struct `Library of recordings` {
  static func passes(_ level: AssuranceLevel, _ method: LibraryAttacker.Method, tries: Int) throws -> Int {
    var generator = SeededGenerator(3)
    var person = TaskPerson(&generator)
    person.jitter = 0.3
    var takes: [RecordedTake] = []
    for _ in 0..<50 {
      let plan = try #require(level.plan(using: &generator))
      let take = RecordedTake(of: plan, by: person, fps: 12, &generator)
      if take.passed { takes.append(take) }
    }
    #expect(takes.count > 45)
    let attacker = LibraryAttacker(takes, method)
    var passed = 0
    for _ in 0..<tries {
      let plan = try #require(level.plan(using: &generator))
      if attacker.play(to: plan, &generator) == .passed { passed += 1 }
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

  /// Documents a limit: movement alone does not stop a program that cuts recordings at every prompt.
  @Test func `recordings cut at each prompt pass often`() throws {
    #expect(try Self.passes(.standard, .cut, tries: 40) > 10)
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
