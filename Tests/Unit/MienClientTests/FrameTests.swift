import MienCore
import Testing

@testable import MienClient

struct FrameTests {
  private func at(_ milliseconds: Double) -> MonotonicInstant { .zero + .milliseconds(milliseconds) }

  @Test func `old frames are dropped and the rest are timed from the first`() {
    var gate = StaleFrameFilter(oldest: .seconds(1))
    // The camera's clock started long before the check's.
    let camera = 9_000_000.0
    #expect(gate.admit(at(camera), at: at(100)) == .zero)
    #expect(gate.admit(at(camera + 66), at: at(170)) == .milliseconds(66))
    #expect(gate.admit(at(camera + 66), at: at(171)) == nil, "the same frame again")
    #expect(gate.admit(at(camera + 10), at: at(172)) == nil, "an older frame")
    #expect(gate.admit(at(camera + 100), at: at(1201)) == nil, "1.001 s late")
    #expect(gate.admit(at(camera + 101), at: at(1201)) == .milliseconds(101), "1 s late")
    #expect(
      gate.admit(at(camera + 2000), at: at(1300)) == .milliseconds(2000), "a clock that runs ahead is the server's")
  }

  @Test func `retry delays double up to the maximum and are counted`() {
    var backOff = ExponentialBackoff(RetryPolicy(retries: 5, firstWait: .milliseconds(500), longestWait: .seconds(3)))
    #expect(
      (0..<6).map { _ in backOff.next() } == [500, 1000, 2000, 3000, 3000, nil].map { $0.map { .milliseconds($0) } })
    backOff.reset()
    #expect(backOff.next() == .milliseconds(500))
    var never = ExponentialBackoff(RetryPolicy(retries: 0))
    #expect(never.next() == nil)
  }

  @Test func `the buffer keeps only the newest frame`() async {
    let feed = LatestFrameBuffer()
    for index in 1...5 { feed.offer(EncodedFrame(bytes: [UInt8(index)], at: at(Double(index)))) }
    #expect(await feed.next()?.bytes == [5])
    feed.offer(EncodedFrame(bytes: [6], at: at(6)))
    feed.finish()
    #expect(await feed.next()?.bytes == [6])
    #expect(await feed.next() == nil)
  }

  @Test func `the device clock advances and its sleep can be canceled`() async throws {
    let clock = MonotonicClock()
    let began = clock.now()
    try await clock.sleep(for: .milliseconds(2))
    #expect(clock.now().since(began) >= .milliseconds(2))
    let sleeper = Task { try await clock.sleep(for: .seconds(3600)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(MonotonicClock.clientName() != MonotonicClock.clientName())
    #expect(CheckID(MonotonicClock.clientName()) != nil)
  }
}
