import MienTestGenerators
import MienCore
import MienVault
import Testing

@Suite struct `Unlock policy` {
  private func lock(
    attempts: Int = 10, firstWait: Interval = UnlockPolicy.standardWait, views: Int? = nil, expires: Double = 1000
  ) throws -> UnlockPolicyState {
    let rules = try #require(
      UnlockPolicy(attempts: attempts, firstWait: firstWait, views: views, expires: Examples.at(expires)))
    return try #require(UnlockPolicyState(rules: rules))
  }

  private func counted(_ lock: inout UnlockPolicyState, at seconds: Double) throws -> UnlockPolicyState.Attempt {
    guard case .counted(let attempt) = lock.count(at: Examples.at(seconds)) else {
      throw Failure("refused at \(seconds)")
    }
    return attempt
  }

  private struct Failure: Error {
    init(_: String) {}
  }

  @Test func `ten wrong attempts lock the message`() throws {
    var lock = try lock()
    for number in 1...10 {
      let attempt = try counted(&lock, at: Double(number))
      #expect(attempt.number == number && attempt.left == 10 - number)
    }
    #expect(lock.standing(at: Examples.at(999)) == .waiting(until: Examples.at(3610)))
    #expect(lock.count(at: Examples.at(999)) == .refused(.waiting(until: Examples.at(3610))))
    #expect(lock.attempts == 10, "a rejected attempt is not counted")
    #expect(lock.end == nil, "a wrong attempt never ends the message")
  }

  @Test func `a correct attempt is not counted and can be the last one`() throws {
    var lock = try lock()
    for _ in 1...9 { _ = try counted(&lock, at: 1) }
    let last = try counted(&lock, at: 2)
    #expect(lock.standing(at: Examples.at(2)) == .waiting(until: Examples.at(3602)))
    #expect(lock.opened(by: last, at: Examples.at(3)) == .shown(viewsLeft: nil))
    #expect(lock.standing(at: Examples.at(3)) == .ready(attemptsLeft: 1), "the nine wrong attempts remain counted")
  }

  @Test func `an abandoned attempt remains counted`() throws {
    var lock = try lock(attempts: 2)
    _ = try counted(&lock, at: 1)
    let kept = try #require(
      UnlockPolicyState(
        rules: lock.rules, attempts: lock.attempts, views: lock.views, lockedUntil: lock.lockedUntil, end: lock.end))
    #expect(kept == lock && kept.standing(at: Examples.at(2)) == .ready(attemptsLeft: 1))
  }

  @Test func `delays increase with each attempt`() throws {
    var lock = try lock(attempts: 2, firstWait: .seconds(60), expires: 1e9)
    _ = try counted(&lock, at: 0)
    _ = try counted(&lock, at: 0)
    var now = 0.0
    for wait in [60.0, 120, 240, 480] {
      #expect(lock.standing(at: Examples.at(now)) == .waiting(until: Examples.at(now + wait)))
      #expect(
        lock.count(at: Examples.at(now + wait - 0.001)) == .refused(.waiting(until: Examples.at(now + wait))))
      now += wait
      #expect(lock.standing(at: Examples.at(now)) == .ready(attemptsLeft: 1))
      #expect(try counted(&lock, at: now).left == 0)
    }
  }

  @Test func `delays are limited to one day`() throws {
    var lock = try lock(attempts: 1, firstWait: .seconds(86_400), expires: 1e9)
    var now = 0.0
    for _ in 1...80 {
      _ = try counted(&lock, at: now)
      guard case .waiting(let until) = lock.standing(at: Examples.at(now)) else {
        Issue.record("no wait")
        return
      }
      #expect(until.since(Examples.at(now)) <= UnlockPolicy.longestWait)
      now = until.seconds
    }
    #expect(now > 70 * 86_400)
  }

  @Test func `setting the clock back does not extend a delay`() throws {
    var lock = try lock(attempts: 1, firstWait: .seconds(60), expires: 1e9)
    _ = try counted(&lock, at: 1_000_000)
    #expect(lock.standing(at: Examples.at(5)) == .waiting(until: Examples.at(65)))
    _ = lock.count(at: Examples.at(5))
    #expect(lock.standing(at: Examples.at(65)) == .ready(attemptsLeft: 1))
  }

  @Test func `a correct attempt ends its own delay and no other`() throws {
    var lock = try lock(attempts: 1, firstWait: .seconds(60), expires: 1e9)
    let right = try counted(&lock, at: 0)
    #expect(lock.opened(by: right, at: Examples.at(1)) == .shown(viewsLeft: nil))
    #expect(lock.standing(at: Examples.at(1)) == .ready(attemptsLeft: 1))
    let slow = try counted(&lock, at: 2)
    _ = try counted(&lock, at: 62)
    #expect(lock.opened(by: slow, at: Examples.at(63)) == .shown(viewsLeft: nil))
    #expect(lock.standing(at: Examples.at(63)) != .ready(attemptsLeft: 1))
  }

  @Test func `a message is read once its views are used up`() throws {
    var lock = try lock(views: 2)
    let first = try counted(&lock, at: 1)
    #expect(lock.opened(by: first, at: Examples.at(1)) == .shown(viewsLeft: 1))
    let (second, third) = (try counted(&lock, at: 2), try counted(&lock, at: 2))
    #expect(lock.opened(by: second, at: Examples.at(2)) == .shown(viewsLeft: 0))
    #expect(
      lock.opened(by: third, at: Examples.at(2)) == .over(.read), "the last view is not shown to two concurrent readers"
    )
    #expect(lock.count(at: Examples.at(3)) == .refused(.over(.read)))
  }

  @Test func `an expired message stays expired when the clock goes back`() throws {
    var lock = try lock(expires: 100)
    let attempt = try counted(&lock, at: 99.999)
    #expect(lock.standing(at: Examples.at(100)) == .over(.expired))
    #expect(lock.opened(by: attempt, at: Examples.at(100)) == .over(.expired))
    #expect(lock.count(at: Examples.at(50)) == .refused(.over(.expired)))
  }

  @Test func `a message deleted by the sender is hidden from attempts in progress`() throws {
    var lock = try lock()
    let attempt = try counted(&lock, at: 1)
    lock.delete()
    #expect(lock.opened(by: attempt, at: Examples.at(2)) == .over(.deleted))
    lock.expire(at: Examples.at(2000))
    #expect(lock.end == .deleted, "the first end counts")
  }

  @Test func `out-of-range policies are rejected`() {
    let expires = Examples.at(1)
    #expect(UnlockPolicy(attempts: 0, expires: expires) == nil && UnlockPolicy(attempts: 101, expires: expires) == nil)
    #expect(UnlockPolicy(views: 0, expires: expires) == nil && UnlockPolicy(views: 101, expires: expires) == nil)
    #expect(UnlockPolicy(firstWait: .seconds(9), expires: expires) == nil)
    #expect(UnlockPolicy(firstWait: .seconds(86_401), expires: expires) == nil)
    #expect(UnlockPolicy(attempts: 100, firstWait: .seconds(10), views: 1, expires: expires) != nil)
  }

  @Test func `attempt and view counts stay within their limits for any event order`() throws {
    for seed: UInt64 in 1...400 {
      var generator = SplitMixGenerator(seed: seed)
      var lock = try lock(
        attempts: Int.random(in: 1...5, using: &generator),
        firstWait: .seconds(10), views: 3, expires: 500)
      var (now, shown, ended) = (0.0, 0, false)
      var open: [UnlockPolicyState.Attempt] = []
      for _ in 0..<60 {
        now += Double.random(in: -5...15, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0, 1:
          let before = lock.attempts
          if case .counted(let attempt) = lock.count(at: Examples.at(now)) {
            #expect(!ended && lock.attempts == before + 1)
            open.append(attempt)
          }
        case 2:
          guard let attempt = open.popLast() else { continue }
          if case .shown = lock.opened(by: attempt, at: Examples.at(now)) {
            #expect(!ended)
            shown += 1
          }
        default:
          open.removeAll()
        }
        if lock.end != nil { ended = true }
        #expect(!ended || lock.end != nil, "an end is final")
        #expect(lock.views == shown && shown <= 3)
      }
    }
  }
}
