import Testing

@testable import MienPlatform

@Suite struct `Key derivation queue` {
  @Test func `jobs beyond the capacity are rejected until others finish`() async throws {
    let queue = DerivationQueue("mien.test", capacity: 2, full: ServiceError(.busy, "full", retryAfter: 5))
    for _ in 0..<3 {
      do {
        let (first, second) = (try queue.reserve(), try queue.reserve())
        let refused = await #expect(throws: ServiceError.self) { try await queue.run { 3 } }
        #expect(refused?.code == .busy && refused?.retryAfter == 5)
        #expect(await first.run { 1 } + second.run { 2 } == 3)
      }
      #expect(try await queue.run { 4 } == 4)
    }
  }
}
