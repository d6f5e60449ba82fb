internal import MienCore
internal import MienPlatform
internal import MienWorkers

/// Analysis of queued captures.
extension CaptureService {
  /// Analyzes the oldest queued captures, at most `places` of them; returns how many.
  public func analyzeQueued(atMost places: Int) async throws -> Int {
    let now = clock.now()
    setAside = setAside.filter { $0.value > now }
    let ids = try await store.queuedCaptures(limit: places + underWay.count + setAside.count)
      .filter { !underWay.contains($0) && setAside[$0] == nil }
    underWay.formUnion(ids)
    defer { underWay.subtract(ids) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in ids.prefix(places) {
        group.addTask {
          do {
            try await self.analyze(id)
          } catch let error as StoreError {
            // An unreadable file must not hold up the other captures.
            await self.setAside(id)
            throw error
          }
        }
      }
      try await group.waitForAll()
    }
    return min(ids.count, places)
  }

  private func setAside(_ id: CaptureID) { setAside[id] = clock.now() + .seconds(60) }

  private nonisolated func analyze(_ id: CaptureID) async throws {
    try await scheduler.traces.job("capture.analysis") { try await analyzed(id) }
  }

  private nonisolated func analyzed(_ id: CaptureID) async throws {
    guard let capture = try await store.capture(id), let photo = capture.photo.blob else { return }
    let (outcome, reception) = try await scheduler.atPlace {
      var files = CaptureAnalysis.Files(photo: try await whole(photo, capture.photo.size))
      if let depth = capture.depth, let blob = depth.blob { files.depth = try await whole(blob, depth.size) }
      if let motion = capture.motion, let blob = motion.blob {
        files.motion = CaptureAnalysis.Files.Motion(
          facts: motion, bytes: try await whole(blob, motion.size), times: capture.claims.metadata?.burstTimes)
      }
      let outcome = try await analysis.analyze(at: files, of: id)
      return (outcome, await self.reception(of: files.photo, capture))
    }
    // A canceled task stores nothing: a capture whose analysis may have been cut short stays queued and is analyzed
    // again.
    try Task.checkCancellation()
    _ = try await store.analyzed(
      id, outcome.results, provenance: outcome.provenance, reception: reception, visualizations: outcome.visualizations)
  }

  /// Signs a photo as received; returns `nil` for a file that has been deleted or is not the one that was received.
  private nonisolated func reception(
    of photo: [UInt8], _ capture: CaptureRecord
  ) async -> ReceptionCredential? {
    guard let signing, ContentDigest(of: photo) == capture.photo.digest else { return nil }
    return await WorkerPool.shared.run { signing(photo, capture.id, capture.received) }
  }

  nonisolated func whole(_ blob: BlobID, _ size: Int?) async throws -> [UInt8] {
    guard let size else { return [] }
    do {
      return try await blobs.read(blob, 0..<size)
    } catch let error as StoreError where error.code == .missing {
      // The file was deleted. Retrying forever would not help.
      return []
    }
  }
}
