import MienCore
import Testing

@testable import MienMessageService

@Suite struct `Delays after wrong attempts` {
  private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant.zero + .seconds(seconds) }

  @Test func `delays grow from the first attempt to the maximum`() {
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

  @Test func `delays end with a correct attempt and restart after a long time`() {
    var waits = AttemptWaits<String>(first: .seconds(5), longest: .seconds(60))
    #expect(waits.begin("a", at: at(0)) == nil)
    waits.succeed("a")
    #expect(waits.begin("a", at: at(0)) == nil)
    #expect(waits.begin("a", at: at(5)) == nil)
    #expect(waits.wait(for: "a", at: at(5)) == .seconds(10))
    #expect(waits.begin("a", at: at(75)) == nil)
    #expect(waits.wait(for: "a", at: at(75)) == .seconds(5))
  }

  @Test func `retracted attempts do not extend the delay`() {
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

  @Test func `delays are stored for a limited number of clients, most recent first`() {
    var waits = AttemptWaits<Int>(first: .seconds(5), capacity: 10)
    for client in 0..<1000 { #expect(waits.begin(client, at: at(0)) == nil) }
    #expect((0..<1000).count { waits.wait(for: $0, at: at(1)) != nil } <= 20)
    #expect(waits.wait(for: 999, at: at(1)) != nil)
  }
}
