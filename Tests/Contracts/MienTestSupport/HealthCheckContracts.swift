public import MienPlatform
internal import Testing

/// Conformance test for ``HealthCheckable``: health checks of a running dependency succeed, also repeated and
/// concurrent, and have no visible effect (`look`).
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
