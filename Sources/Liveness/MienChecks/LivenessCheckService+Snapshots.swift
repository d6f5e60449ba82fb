internal import MienPlatform
internal import MienSecurity
internal import MienCore

/// Saving the states of running checks, so that another server, or this one after a restart, can continue them.
extension LivenessCheckService {
  /// Saves the states of all checks that have changed since the last call. Must be called every
  /// ``LeaseTiming/interval``.
  public func saveSnapshots() async throws {
    var drafts: [ActiveCheck.Draft] = []
    for check in live.values {
      if let draft = await check.draft(at: clock.now()) { drafts.append(draft) }
    }
    // Batches, since an arbitrarily long statement would block others.
    while !drafts.isEmpty {
      try await save(Array(drafts.prefix(256)))
      drafts.removeFirst(min(256, drafts.count))
    }
  }

  /// Saves all changes a last time, and releases the checks to other servers immediately.
  public func release() async throws {
    guard keyring != nil else { return }
    try await saveSnapshots()
    try await store.release()
  }

  /// Verifies that this server still holds a check, by saving it again if the last save is too old; drops the check
  /// otherwise.
  func isStillOurs(_ check: ActiveCheck) async throws -> Bool {
    guard keyring != nil, store.isShared, await check.mustBeKept(at: clock.now()) else { return true }
    guard let draft = await check.draft(at: clock.now(), always: true) else { return true }
    return try await save([draft]).contains(check.record.id)
  }

  @discardableResult
  private func save(_ drafts: [ActiveCheck.Draft]) async throws -> Set<CheckID> {
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
        // Another server holds it now, or decided or deleted it.
        live[id] = nil
      }
    }
    return kept
  }

  /// Returns the initial state of a check opened on this server: the saved state if there is one that can be decoded.
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

  /// Another server holds the check.
  static var elsewhere: ServiceError {
    ServiceError(
      .frameInFlight,
      "Another server has this check, or had it until a moment ago. Send the next frame: it is taken as soon as it is "
        + "sure that only one looks at it.")
  }
}
