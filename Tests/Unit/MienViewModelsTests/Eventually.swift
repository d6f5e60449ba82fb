/// Waits until a condition holds, without a limit: how long that takes depends on how busy the machine is.
@MainActor func eventually(_ isSo: () async throws -> Bool) async throws {
  while try await !isSo() { try await Task.sleep(for: .milliseconds(5)) }
}
