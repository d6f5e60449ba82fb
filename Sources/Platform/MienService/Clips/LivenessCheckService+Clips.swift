public import MienCore

/// Films of checks: recorded while a check runs, made after its verdict, beside everything else.
extension LivenessCheckService {
  /// So many films are looked for at once, and so many made before other work has its turn.
  private static var mostAwaited: Int { 1000 }
  private static var mostMade: Int { 8 }
  /// So long after the verdict another server's film is awaited: it may have many to make, or be gone.
  private static var patience: Interval { .seconds(1800) }

  /// Makes the films that are awaited and whose frames are here. Call it every second or so, from one place.
  ///
  /// - Parameter isAble: false where no films are made: those whose frames are here are then told as failed.
  /// - Returns: why films could not be made, for whoever runs the server; the checks' results say `failed`.
  @discardableResult
  public func makeClips(isAble: Bool = true) async throws -> [any Error] {
    guard let recorder else { return [] }
    var failures: [any Error] = []
    var made = 0
    // Where one server works with a store, all frames that there are lie here.
    let here = store.isShared ? Set(await recorder.frameLogs()) : nil
    for (id, decided) in try await store.pendingClips(limit: Self.mostAwaited) {
      guard here?.contains(id) != false else {
        if decided.adding(Self.patience) < clock.timeOfDay() { try await store.endClip(of: id, nil) }
        continue
      }
      guard made < Self.mostMade else { break }
      made += 1
      var film: [UInt8]?
      do {
        if isAble {
          let made = try await meter.times.traces.job("film.make") { try await recorder.film(id) }
          if (1...ClipRecord.maximumBytes).contains(made.count) { film = made }
        }
      } catch is CancellationError {
        return failures  // it is still awaited after the restart
      } catch {
        // A film that cannot be made once cannot be made: its reel does not change any more.
        failures.append(error)
      }
      try await store.endClip(of: id, film)
      await recorder.discard(id)
    }
    return failures
  }

  /// Tells a film as failed right after the verdict when what lies here is not all of its frames, so that nobody makes it of a part.
  func endBrokenClip(of check: CheckRecord) async throws {
    guard check.keepsClip, store.isShared, let recorder else { return }
    let frameLogs = await recorder.frameLogs()
    if incompleteFrameLogs.contains(check.id) || !frameLogs.contains(check.id) {
      try await store.endClip(of: check.id, nil)
    }
  }

  /// Destroys reels that no check needs any more. A film that nobody has made when its time is over is none any more.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func purgeFrameLogs() async throws -> Int {
    guard let recorder else { return 0 }
    var count = 0
    for id in await recorder.frameLogs() {
      if live[id] != nil { continue }
      if let found = try await store.check(id) {
        // One whose time is over is ended soon, and says then whether there is to be a film.
        guard let decided = found.result?.decided else { continue }
        let isInTime = clock.timeOfDay() < decided.adding(settings.clipLifetime)
        if isInTime, try await store.clip(of: id) == .pending { continue }
      }
      // Another request may have opened it while the store was read.
      guard live[id] == nil else { continue }
      await recorder.discard(id)
      count += 1
    }
    return count
  }

  /// The pictures kept with a decided check: the face image first, when there is one.
  public func images(of id: CheckID) async throws -> [StoredImage] { try await store.images(of: id) }

  /// The film of a check; nil when none was wanted, or it is gone.
  public func clip(of id: CheckID) async throws -> ClipRecord? { try await store.clip(of: id) }
}
