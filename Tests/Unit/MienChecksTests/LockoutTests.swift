import MienTestGenerators
import MienCore
import MienPlatform
import MienChecks
import MienTestSupport
import Testing

private func time(_ seconds: Double) -> UnixTime { UnixTime(milliseconds: Int64(seconds * 1000)) }

@Suite struct `Lockout` {
  private let rules = LockoutSettings.standard

  private func after(_ failures: [Double]) -> LockoutPolicy {
    failures.reduce(into: LockoutPolicy()) { $0.ended(passed: false, at: time($1), rules) }
  }

  @Test func `five failures in three minutes lock out for thirty minutes`() {
    #expect(after([0, 10, 20, 30]).remaining(at: time(30), rules) == nil)
    let locked = after([0, 10, 20, 30, 179])
    #expect(locked.remaining(at: time(179), rules) == .seconds(1800))
    #expect(locked.remaining(at: time(1978.9), rules) == .milliseconds(100))
    #expect(locked.remaining(at: time(1979), rules) == nil)
    #expect(locked.expires(rules) == time(1979))
  }

  @Test func `failures further apart do not lock out`() {
    #expect(after([0, 10, 20, 30, 180]).remaining(at: time(180), rules) == nil)
    #expect(after((0..<100).map { Double($0) * 50 }).lockedUntil == nil)
  }

  @Test func `a pass resets failures and does not end a lockout`() {
    var machine = after([0, 1, 2, 3])
    machine.ended(passed: true, at: time(4), rules)
    #expect(machine == LockoutPolicy() && machine.expires(rules) == nil)
    var locked = after([0, 1, 2, 3, 4])
    locked.ended(passed: true, at: time(5), rules)
    locked.ended(passed: false, at: time(6), rules)
    #expect(locked == after([0, 1, 2, 3, 4]), "checks that were under way change nothing")
  }

  @Test func `after a lockout the count restarts`() {
    var machine = after([0, 1, 2, 3, 4])
    for second in 0..<4 { machine.ended(passed: false, at: time(1804 + Double(second)), rules) }
    #expect(machine.remaining(at: time(1808), rules) == nil && machine.failures.count == 4)
    machine.ended(passed: false, at: time(1809), rules)
    #expect(machine.remaining(at: time(1809), rules) == .seconds(1800))
  }

  @Test func `a clock that is set back extends no lockout and counts no failure of the future`() {
    var machine = after([7200, 7201, 7202, 7203, 7204])
    #expect(machine.remaining(at: time(0), rules) == nil)
    for second in 0..<4 { machine.ended(passed: false, at: time(Double(second)), rules) }
    #expect(machine.failures.count == 4 && machine.remaining(at: time(4), rules) == nil)
    machine.ended(passed: false, at: time(4), rules)
    #expect(machine.remaining(at: time(4), rules) == .seconds(1800))
    var failing = after([7200, 7201, 7202, 7203])
    failing.ended(passed: false, at: time(0), rules)
    #expect(failing.failures == [time(0)])
  }

  @Test func `the number of stored entries is limited`() throws {
    var generator = SplitMixGenerator(seed: 9)
    for _ in 0..<200 {
      let rules = try #require(LockoutSettings(failures: Int.random(in: 1...6, using: &generator)))
      var machine = LockoutPolicy()
      var now = 0.0
      for _ in 0..<60 {
        now += Double.random(in: 0..<120, using: &generator)
        machine.ended(passed: Int.random(in: 0..<8, using: &generator) == 0, at: time(now), rules)
        #expect(machine.failures.count < rules.failures)
        #expect(machine.failures == machine.failures.sorted { $0 < $1 })
        #expect((machine.expires(rules) == nil) == (machine == LockoutPolicy()))
      }
    }
  }

  @Test(arguments: [(0, 1.0, 1.0), (101, 1, 1), (1, 0, 1), (1, 86_401, 1), (1, 1, 0), (1, 1, 2_592_001), (1, .nan, 1)])
  func `out-of-range settings are rejected`(failures: Int, window: Double, duration: Double) {
    #expect(LockoutSettings(failures: failures, window: .seconds(window), duration: .seconds(duration)) == nil)
  }
}
