internal import MienLiveSessions
internal import MienPlatform
internal import MienLiveness
internal import MienCore

/// Periodic work: ends expired checks and deletes data past its retention period.
extension LivenessCheckService {
  /// Ends expired checks and deletes old data. Call it about once per second.
  public func expireAndPurge() async throws {
    let now = clock.now()
    let time = clock.timeOfDay()
    for (id, check) in live {
      do {
        if check.record.expires < time {
          // The verdict of a frame in progress takes precedence.
          guard let last = await check.expire(at: now, clock: clock) else { continue }
          try await save(last, of: check)
          live[id] = nil
        } else {
          try await save(await check.tick(at: now, clock: clock), of: check)
        }
      } catch let error as ServiceError where Self.isGone(error) {
        continue  // the check no longer belongs to this server
      }
    }
    incompleteFrameLogs = incompleteFrameLogs.filter { live[$0] != nil }
    let failure = try await endExpired(at: time)
    // A check's images are deleted after the period promised to its integrator, independently of the verdict.
    retention.note(.images, try await store.deletePictures(decidedBefore: Self.ago(settings.imageLifetime, time)))
    retention.note(.clips, try await store.deleteClips(decidedBefore: Self.ago(settings.clipLifetime, time)))
    retention.note(
      .templates, try await store.deleteKeptTemplates(decidedBefore: Self.ago(settings.templateLifetime, time)))
    if let lifetime = settings.resultLifetime {
      retention.note(.checks, try await store.deleteChecks(decidedBefore: Self.ago(lifetime, time), limit: 200))
    }
    retention.note(.lockouts, try await store.purgeLockouts(expiredBy: time))
    meter.live(live.count, in: settings.realm)
    if let failure { throw failure }
  }

  private static func ago(_ interval: Interval, _ time: UnixTime) -> UnixTime {
    time.adding(Interval(nanoseconds: -interval.nanoseconds))
  }

  /// Ends expired checks that are not in progress on this server.
  ///
  /// - Returns: the error of a check that could not be ended; it does not stop the others.
  private func endExpired(at time: UnixTime) async throws -> (any Error)? {
    let timeout = store.isShared ? LeaseTiming.courtesy : .zero
    let over = time.adding(Interval(nanoseconds: -timeout.nanoseconds))
    var failure: (any Error)?
    let expired = try await store.expired(before: over, limit: 1000)
    unreadable = unreadable.filter { expired.contains($0.key) }
    for id in expired where live[id] == nil {
      let taken: (check: ActiveCheck?, epoch: Int?)?
      do {
        taken = try await takeExpired(id)
        unreadable[id] = nil
      } catch {
        failure = error
        // A check that stays unreadable for a minute is given up: it ends like one that was never begun.
        let since = unreadable[id] ?? time
        unreadable[id] = since
        guard since.adding(.seconds(60)) <= time else { continue }
        taken = (nil, nil)
      }
      guard let left = taken else { continue }
      do {
        if let check = left.check, let result = await check.expire(at: clock.now(), clock: clock)?.result {
          try await save(result, of: check)
        } else {
          try await saveResultOnce(id, neverBegun(id, at: time), under: left.epoch)
        }
      } catch let error as ServiceError where Self.isGone(error) {
        continue  // another server was first, or the check was deleted since it was listed
      }
    }
    return failure
  }

  /// Acquires an expired check with its saved state: letting a check expire counts as an attempt, on any server.
  ///
  /// - Returns: no check if it was never begun; `nil` if it is decided, deleted or held by another server.
  private func takeExpired(_ id: CheckID) async throws -> (check: ActiveCheck?, epoch: Int?)? {
    let heldSince = clock.now()
    guard let found = try await store.acquire(id, at: clock.timeOfDay()), found.result == nil, let hold = found.hold
    else { return nil }
    guard hold.state != nil else { return (nil, hold.epoch) }
    // The local frame log contains at most a part of the clip.
    if found.record.keepsClip, hold.wasElsewhere {
      incompleteFrameLogs.insert(id)
      await recorder?.discard(id)
    }
    return (try await resumed(found.record, hold, since: heldSince), hold.epoch)
  }

  private func neverBegun(_ id: CheckID, at time: UnixTime) -> CheckResult {
    CheckResult(
      outcome: .timedOut, reason: "expired", decided: time, source: .none, frames: 0, findings: [], outboundPath: [],
      returnPath: [], received: FrameHashChain(of: id), settings: settings.version)
  }
}
