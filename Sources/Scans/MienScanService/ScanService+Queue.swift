extension ScanService {
  /// Returns the number of queued scans, for the metrics.
  public nonisolated func queueDepth() async throws -> Int {
    var query = ScanQuery()
    query.status = .queued
    query.limit = 1
    return try await store.scans(query).total
  }
}
