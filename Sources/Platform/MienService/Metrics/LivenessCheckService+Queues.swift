/// What waits to be done, for the metrics.
extension LivenessCheckService {
  /// How many films, `mostFilms` at most, and messages to webhooks wait in the store.
  public nonisolated func queueDepths(mostFilms: Int) async throws -> (films: Int, webhooks: Int) {
    (try await store.pendingClips(limit: mostFilms).count, try await store.waitingMessages())
  }
}
