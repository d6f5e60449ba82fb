import Testing

/// Waits until something is so, for a minute at most; what never comes is a failure with its place, not a test without an
/// end.
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
