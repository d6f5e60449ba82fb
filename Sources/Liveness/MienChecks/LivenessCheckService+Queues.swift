/// Queue lengths for the metrics.
extension LivenessCheckService {
  /// Returns the number of pending clips, at most `limit`.
  public nonisolated func pendingClipCount(limit: Int) async throws -> Int {
    try await store.pendingClips(limit: limit).count
  }
}
