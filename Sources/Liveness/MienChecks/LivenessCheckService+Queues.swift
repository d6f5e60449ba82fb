internal import MienWebhooks

/// Queue lengths for the metrics.
extension LivenessCheckService {
  /// Returns the number of pending clips, at most `mostFilms`, and of waiting webhook messages in the store.
  public nonisolated func queueDepths(mostFilms: Int) async throws -> (films: Int, webhooks: Int) {
    (try await store.pendingClips(limit: mostFilms).count, try await store.waitingMessages())
  }
}
