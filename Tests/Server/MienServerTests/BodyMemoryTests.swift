import MienPlatform
import Testing

@testable import MienServer

@Suite struct `Body memory` {
  @Test func `one client can take half of the memory except the reserve`() {
    let memory = BodyMemory(limit: 1000)
    #expect(memory.take(500, for: "a"))
    #expect(!memory.take(1, for: "a"))
    #expect(memory.take(250, for: "b") && !memory.take(1, for: "b"))
    memory.give(500, of: "a")
    #expect(memory.used == 250 && memory.take(1, for: "b"))
  }

  @Test func `a new client gets an equal share under full load`() {
    let memory = BodyMemory(limit: 11_000)
    // Each client takes as much as allowed, in small portions.
    for _ in 0..<2000 { for client in 0..<10 { _ = memory.take(10, for: "\(client)") } }
    #expect(memory.used <= 10_000)
    #expect(memory.allows(500, for: "another"))
  }

  @Test func `a request returns all memory that it took`() throws {
    let memory = BodyMemory(limit: 1000)
    let lease = BodyLease(memory, client: "a")
    try lease.expect(500)
    try lease.take(300)
    try lease.take(200)
    let refusal = #expect(throws: ServiceError.self) { try lease.take(1) }
    #expect(refusal?.code == .busy && refusal?.retryAfter == 1)
    #expect(memory.used == 500)
    lease.end()
    lease.end()
    #expect(memory.used == 0 && memory.allows(500, for: "a"))
  }

  @Test func `the number of bodies per session is limited before they are read`() async throws {
    let memory = BodyMemory(limit: 1000)
    func read(_ more: Int) async throws {
      guard more > 0 else {
        let refusal = await #expect(throws: ServiceError.self) {
          try await memory.reading("chk") { Issue.record("a body beyond the limit was read") }
        }
        #expect(refusal?.code == .frameInFlight)
        return try await memory.reading("other") {}
      }
      try await memory.reading("chk") { try await read(more - 1) }
    }
    try await read(BodyMemory.bodiesOfSession)
    await #expect(throws: CancellationError.self) { try await memory.reading("chk") { throw CancellationError() } }
    try await memory.reading("chk") {}
  }
}
