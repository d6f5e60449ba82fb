public import MienCore
internal import MienPlatform

/// Clips of checks: recorded while a check runs, made after its verdict in the background.
extension LivenessCheckService {
  /// Maximum number of pending clips to look for, and of clips to make, in one call.
  private static var mostAwaited: Int { 1000 }
  private static var mostMade: Int { 8 }
  /// Time after the verdict until which a clip on another server is awaited: that server may have many to make, or may
  /// have failed.
  private static var timeout: Interval { .seconds(1800) }

  /// Makes the pending clips whose frames are on this server. Call it about once per second, from one task.
  ///
  /// - Parameter isAble: `false` if no clips can be made: pending ones whose frames are on this server are then marked
  ///   as failed.
  /// - Returns: the errors of clips that could not be made, for the operator; the checks' results report `failed`.
  @discardableResult
  public func makeClips(isAble: Bool = true) async throws -> [any Error] {
    guard let recorder else { return [] }
    var failures: [any Error] = []
    var made = 0
    // If the store is not shared, all frame logs are on this server.
    let localFrameLogs = store.isShared ? Set(await recorder.frameLogs()) : nil
    for (id, decided) in try await store.pendingClips(limit: Self.mostAwaited) {
      guard localFrameLogs?.contains(id) != false else {
        if decided.adding(Self.timeout) < clock.timeOfDay() { try await store.endClip(of: id, nil) }
        continue
      }
      guard made < Self.mostMade else { break }
      made += 1
      var encoded: [UInt8]?
      do {
        if isAble {
          let made = try await meter.times.traces.job("clip.encode") { try await recorder.encodedClip(id) }
          if (1...ClipRecord.maximumBytes).contains(made.count) { encoded = made }
        }
      } catch is CancellationError {
        return failures  // still pending after the restart
      } catch {
        // Making the clip again would fail as well: its frame log no longer changes.
        failures.append(error)
      }
      try await store.endClip(of: id, encoded)
      await recorder.discard(id)
    }
    return failures
  }

  /// Marks a clip as failed right after the verdict if this server lacks some of its frames, so that it is not made
  /// from a part of them.
  func endBrokenClip(of check: CheckRecord) async throws {
    guard check.keepsClip, store.isShared, let recorder else { return }
    let frameLogs = await recorder.frameLogs()
    if incompleteFrameLogs.contains(check.id) || !frameLogs.contains(check.id) {
      try await store.endClip(of: check.id, nil)
    }
  }

  /// Deletes frame logs that are no longer needed. A clip that was not made by the end of its lifetime is given up.
  ///
  /// - Returns: the number of deleted frame logs.
  @discardableResult
  public func purgeFrameLogs() async throws -> Int {
    guard let recorder else { return 0 }
    var count = 0
    for id in await recorder.frameLogs() {
      if live[id] != nil { continue }
      if let found = try await store.check(id) {
        // An expired check will be decided soon, which determines whether a clip is made.
        guard let decided = found.result?.decided else { continue }
        let isInTime = clock.timeOfDay() < decided.adding(settings.clipLifetime)
        if isInTime, try await store.clip(of: id) == .pending { continue }
      }
      // Another request may have opened the check while the store was being read.
      guard live[id] == nil else { continue }
      await recorder.discard(id)
      count += 1
    }
    return count
  }

  /// Returns the images stored with a decided check: the face image first, if there is one.
  public func images(of id: CheckID) async throws -> [StoredImage] { try await store.images(of: id) }

  /// Returns the clip of a check; `nil` if none was requested or it was deleted.
  public func clip(of id: CheckID) async throws -> ClipRecord? { try await store.clip(of: id) }
}

/// Queue lengths for the metrics.
extension LivenessCheckService {
  /// Returns the number of pending clips, at most `limit`.
  public nonisolated func pendingClipCount(limit: Int) async throws -> Int {
    try await store.pendingClips(limit: limit).count
  }
}
