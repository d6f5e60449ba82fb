public import MienLiveSessions
internal import MienPlatform
internal import MienSecurity
package import MienCore

/// Saving the states of running checks, so that another server, or this one after a restart, can continue them.
extension LivenessCheckService: LiveSessionHost {
  /// Saves the states of all checks that have changed since the last call. Call it every ``LeaseTiming/interval``.
  public func saveSnapshots() async throws { try await saveChangedSessions() }

  /// Saves all changes a last time, and releases the checks to other servers immediately.
  public func release() async throws {
    guard keyring != nil else { return }
    try await saveSnapshots()
    try await store.release()
  }

  package nonisolated var sharesSessions: Bool { keyring != nil && store.isShared }

  package func write(_ drafts: [SessionDraft<ActiveCheck>]) async throws -> Set<CheckID> {
    guard let keyring else { return [] }
    let snapshots = drafts.map { draft in
      CheckSnapshot(
        check: draft.session.id, epoch: draft.session.epoch,
        state: keyring.closeState(draft.state, of: draft.session.id, using: &randomness))
    }
    return try await store.save(snapshots, at: clock.timeOfDay())
  }

  package func lost(_ id: CheckID) {}

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
    await replayGuard.adopt(state.input.digests, by: state.record.id)
    return state
  }

  /// Another server holds the check.
  static var elsewhere: ServiceError {
    ServiceError(
      .frameInFlight,
      "Another server holds this check, or held it until a moment ago. Send the next frame: it is accepted as soon as "
        + "only one server can hold the check.")
  }
}
