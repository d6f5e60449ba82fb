import MienCore
import MienPlatform
import Testing

@testable import MienMessageService

@Suite struct `Delays after wrong attempts` {
  private let waits = AttemptWaits(first: .seconds(5), longest: .seconds(60))

  private func at(_ seconds: Double) -> UnixTime { UnixTime(milliseconds: 1_767_225_600_000).adding(.seconds(seconds)) }

  @Test func `delays grow from the first attempt to the maximum`() {
    var (wait, now): (AttemptWait?, Double) = (nil, 0)
    for length in [5.0, 10, 20, 40, 60, 60, 60] {
      #expect(waits.begin(&wait, at: at(now)) == nil)
      #expect(waits.remaining(of: wait, at: at(now)) == .seconds(length))
      #expect(waits.begin(&wait, at: at(now + length - 1)) == .seconds(1), "an early attempt is not counted")
      now += length
      #expect(waits.remaining(of: wait, at: at(now)) == nil)
    }
  }

  @Test func `delays restart after a long time`() {
    var wait: AttemptWait?
    #expect(waits.begin(&wait, at: at(0)) == nil)
    #expect(waits.begin(&wait, at: at(5)) == nil)
    #expect(waits.remaining(of: wait, at: at(5)) == .seconds(10))
    #expect(waits.begin(&wait, at: at(75)) == nil)
    #expect(waits.remaining(of: wait, at: at(75)) == .seconds(5))
  }

  @Test func `retracted attempts do not extend the delay`() {
    var wait: AttemptWait?
    #expect(waits.begin(&wait, at: at(0)) == nil)
    waits.retract(&wait, at: at(0))
    #expect(wait == nil)
    waits.retract(&wait, at: at(0))
    #expect(waits.begin(&wait, at: at(0)) == nil)
    #expect(waits.remaining(of: wait, at: at(0)) == .seconds(5))
    #expect(waits.begin(&wait, at: at(5)) == nil)
    waits.retract(&wait, at: at(5))
    #expect(waits.begin(&wait, at: at(5)) == nil)
    #expect(waits.remaining(of: wait, at: at(5)) == .seconds(10))
  }

  @Test func `a clock that jumps by hours makes nobody wait for hours`() {
    var wait: AttemptWait?
    #expect(waits.begin(&wait, at: at(0)) == nil)
    for hours in [-5.0, 5] { #expect(waits.remaining(of: wait, at: at(hours * 3600)) == nil) }
    // After a jump backward, the count starts again.
    for _ in 0..<3 {
      wait = AttemptWait(attempts: 7, until: at(0))
      #expect(waits.begin(&wait, at: at(-3600)) == nil)
      #expect(waits.remaining(of: wait, at: at(-3600)) == .seconds(5))
    }
  }
}
