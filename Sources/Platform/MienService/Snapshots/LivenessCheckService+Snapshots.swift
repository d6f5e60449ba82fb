internal import MienCore

/// The states of checks under way are kept, so that another server, or this one after a restart, goes on with them.
extension LivenessCheckService {
  /// Keeps the states of all checks that have changed since the last time. Call it every ``LeaseTiming/interval``.
  public func saveSnapshots() async throws {
    var drafts: [ActiveCheck<Observer>.Draft] = []
    for check in live.values {
      if let draft = await check.draft(at: clock.now()) { drafts.append(draft) }
    }
    // A statement of any length would be in the way of others.
    while !drafts.isEmpty {
      try await save(Array(drafts.prefix(256)))
      drafts.removeFirst(min(256, drafts.count))
    }
  }

  /// Keeps what has changed a last time, and lets other servers take the checks at once.
  public func release() async throws {
    guard keyring != nil else { return }
    try await saveSnapshots()
    try await store.release()
  }

  /// Sees that a check is this server's still, by keeping it once more where that was too long ago; forgets it otherwise.
  func isStillOurs(_ check: ActiveCheck<Observer>) async throws -> Bool {
    guard keyring != nil, store.isShared, await check.mustBeKept(at: clock.now()) else { return true }
    guard let draft = await check.draft(at: clock.now(), always: true) else { return true }
    return try await save([draft]).contains(check.record.id)
  }

  @discardableResult
  private func save(_ drafts: [ActiveCheck<Observer>.Draft]) async throws -> Set<CheckID> {
    guard let keyring else { return [] }
    let began = clock.now()
    let snapshots = drafts.map { draft in
      CheckSnapshot(
        check: draft.check.record.id, epoch: draft.check.epoch,
        state: keyring.closeState(draft.state, of: draft.check.record.id, using: &randomness))
    }
    let kept = try await store.save(snapshots, at: clock.timeOfDay())
    for draft in drafts {
      let id = draft.check.record.id
      if kept.contains(id) {
        await draft.check.wasSaved(draft, since: began)
      } else if live[id] === draft.check {
        // Another server has it now, or it was decided or erased there.
        live[id] = nil
      }
    }
    return kept
  }

  /// What a check that is opened here begins with: the state that was kept of it, if there is one that can be read.
  func begin(_ state: ActiveCheckState, with hold: CheckAcquisition.Lease?) async -> ActiveCheckState {
    guard let hold, let keyring, let sealed = hold.state, let bytes = keyring.openState(sealed, of: state.record.id)
    else {
      return state
    }
    var state = state
    let now = clock.now()
    guard state.resume(from: bytes, at: now + Interval(nanoseconds: -hold.age.nanoseconds)) else { return state }
    if hold.isOrphan { state.forgiveSilence(until: now) }
    await ledger.adopt(state.digests, by: state.record.id)
    return state
  }

  /// Another server has the check.
  static var elsewhere: ServiceError {
    ServiceError(
      .frameInFlight,
      "Another server has this check, or had it until a moment ago. Send the next frame: it is taken as soon as it is "
        + "sure that only one looks at it.")
  }
}
