import MienCore
import Testing

@testable import MienService

@Suite struct `Waits after wrong attempts` {
  private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant.zero + .seconds(seconds) }

  @Test func `grow from the first on, up to the longest`() {
    var (waits, now) = (AttemptWaits<String>(first: .seconds(5), longest: .seconds(60)), 0.0)
    for wait in [5.0, 10, 20, 40, 60, 60, 60] {
      #expect(waits.begin("a", at: at(now)) == nil)
      #expect(waits.wait(for: "a", at: at(now)) == .seconds(wait))
      #expect(waits.begin("a", at: at(now + wait - 1)) == .seconds(1), "too early: counted as nothing")
      #expect(waits.wait(for: "b", at: at(now)) == nil)
      now += wait
      #expect(waits.wait(for: "a", at: at(now)) == nil)
    }
  }

  @Test func `end with the right attempt, and begin anew after a long time`() {
    var waits = AttemptWaits<String>(first: .seconds(5), longest: .seconds(60))
    #expect(waits.begin("a", at: at(0)) == nil)
    waits.succeed("a")
    #expect(waits.begin("a", at: at(0)) == nil)
    #expect(waits.begin("a", at: at(5)) == nil)
    #expect(waits.wait(for: "a", at: at(5)) == .seconds(10))
    #expect(waits.begin("a", at: at(75)) == nil)
    #expect(waits.wait(for: "a", at: at(75)) == .seconds(5))
  }

  @Test func `are not lengthened by what was not tried`() {
    var waits = AttemptWaits<String>(first: .seconds(5), longest: .seconds(60))
    #expect(waits.begin("a", at: at(0)) == nil)
    waits.retract("a", at: at(0))
    #expect(waits.begin("a", at: at(0)) == nil)
    #expect(waits.wait(for: "a", at: at(0)) == .seconds(5))
    #expect(waits.begin("a", at: at(5)) == nil)
    waits.retract("a", at: at(5))
    #expect(waits.begin("a", at: at(5)) == nil)
    #expect(waits.wait(for: "a", at: at(5)) == .seconds(10))
  }

  @Test func `are remembered of a bounded number of clients, the latest first`() {
    var waits = AttemptWaits<Int>(first: .seconds(5), capacity: 10)
    for client in 0..<1000 { #expect(waits.begin(client, at: at(0)) == nil) }
    #expect((0..<1000).count { waits.wait(for: $0, at: at(1)) != nil } <= 20)
    #expect(waits.wait(for: 999, at: at(1)) != nil)
  }
}
