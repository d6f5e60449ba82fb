import Testing

/// Waits until a condition holds. Fails with the source location after about one minute, so that no test hangs.
@MainActor func eventually(
  _ isSo: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<12_000 {
    if try await isSo() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record("This did not come.", sourceLocation: sourceLocation)
  throw CancellationError()
}
