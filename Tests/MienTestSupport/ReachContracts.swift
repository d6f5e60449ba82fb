public import MienService
internal import Testing

/// What every part outside the process promises that is looked at: while it is there it answers, as often as it is asked and whoever
/// else asks, and nothing is to be seen of the asking in what it tells (`look`).
public func checkHealthCheckable<Seen: Equatable & Sendable>(
  _ part: some HealthCheckable, look: () async throws -> Seen
) async throws {
  let before = try await look()
  for _ in 0..<3 { try await part.reach() }
  try await withThrowingTaskGroup { group in
    for _ in 0..<20 { group.addTask { try await part.reach() } }
    try await group.waitForAll()
  }
  #expect(try await look() == before)
}
