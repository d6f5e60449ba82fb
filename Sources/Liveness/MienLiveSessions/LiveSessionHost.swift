package import MienCore
package import MienPlatform

/// A session in progress on this server: a check or a performance.
package protocol LiveSession: Actor {
  nonisolated var id: CheckID { get }
  var lease: SessionLease { get set }
  var intake: FrameIntake { get set }
  /// Error text for a client that sends a frame without a number while another one is under way.
  static var frameInFlightReason: String { get }

  /// Throws unless the client may send frames of this session.
  func expectSender(_ client: String?) throws
  /// Returns the current state if it has unsaved changes, or if `always` is `true`; `nil` otherwise, and for a session
  /// that is over.
  func draft(at now: MonotonicInstant, always: Bool) -> SessionDraft<Self>?
}

extension LiveSession {
  /// Records that a draft was saved by a write that began at `began`.
  func wasSaved(_ draft: SessionDraft<Self>, since began: MonotonicInstant) {
    lease.saved(draft.revision, since: began)
  }

  func isSaved(_ draft: SessionDraft<Self>) -> Bool { lease.isSaved(draft.revision) }

  /// Number of frames that the client may have under way.
  package var frameWindow: Int { intake.window }

  /// Throws if the session has as many frames as it may have. Called before the body of the next frame is read.
  package func expectRoom(numbered: Bool) throws {
    try intake.expectRoom(numbered: numbered, orExplain: Self.frameInFlightReason)
  }

  /// Waits for a frame's turn. Call ``leave()`` after it was analyzed.
  ///
  /// - Parameter number: the client's number of the frame; `nil` if it does not number its frames.
  /// - Returns: `true` if the frame had to wait.
  func enter(_ number: Int64?, of client: String?, clock: any ServiceClock) async throws -> Bool {
    try expectSender(client)
    guard try !intake.arrive(number, orExplain: Self.frameInFlightReason), let number else { return false }
    let timer = Task {
      try await clock.sleep(for: FrameSequence.gapTime)
      self.expire(number)
    }
    await withCheckedContinuation { intake.wait(number, $0) }
    timer.cancel()
    return true
  }

  func leave() { intake.finish() }

  private func expire(_ number: Int64) { intake.expire(number) }
}

/// A snapshot of a session's state, to be saved.
package struct SessionDraft<Session: LiveSession>: Sendable {
  package let session: Session
  package let state: [UInt8]
  package let revision: Int
  /// `true` for a session that no server holds any more.
  package let isClosed: Bool

  package init(session: Session, state: [UInt8], revision: Int, isClosed: Bool = false) {
    self.session = session
    self.state = state
    self.revision = revision
    self.isClosed = isClosed
  }
}

/// A service that holds sessions and saves their states, so that another server, or this one after a restart, can
/// continue them.
package protocol LiveSessionHost: Actor {
  associatedtype Session: LiveSession

  nonisolated var clock: any ServiceClock { get }
  /// `true` if other servers may acquire sessions from the same store.
  nonisolated var sharesSessions: Bool { get }
  /// Sessions that this server holds.
  var live: [CheckID: Session] { get set }

  /// Encrypts and stores drafts, all in one statement.
  ///
  /// - Returns: the sessions that this server holds; nothing was saved for the others.
  func write(_ drafts: [SessionDraft<Session>]) async throws -> Set<CheckID>
  /// Called after a session was removed because another server holds it, or decided or deleted it.
  func lost(_ id: CheckID)
  /// Saves the changed states a last time and releases the sessions, so that other servers can acquire them at once.
  func release() async throws
}

extension LiveSessionHost {
  /// Analyzes a frame when its turn has come. The frames of a session are analyzed one at a time, in the order of their
  /// numbers.
  package func inTurn<Result: Sendable>(
    _ number: Int64?, of client: String?, in session: Session, orThrow elsewhere: ServiceError,
    _ analyze: () async throws -> Result
  ) async throws -> Result {
    let waited = try await session.enter(number, of: client, clock: clock)
    do {
      // Another server may have acquired the session in the meantime.
      if waited, try await !isStillHeld(session) { throw elsewhere }
      let result = try await analyze()
      await session.leave()
      return result
    } catch {
      await session.leave()
      throw error
    }
  }

  /// Saves the states of all sessions that have changed since the last call. Call it every ``LeaseTiming/interval``.
  package func saveChangedSessions() async throws {
    var drafts: [SessionDraft<Session>] = []
    for session in live.values {
      if let draft = await session.draft(at: clock.now(), always: false) { drafts.append(draft) }
    }
    // Batches, since an arbitrarily long statement would block others.
    while !drafts.isEmpty {
      try await save(Array(drafts.prefix(256)))
      drafts.removeFirst(min(256, drafts.count))
    }
  }

  /// Returns `true` if this server still holds a session, which is verified by saving it again if the lease is old;
  /// otherwise removes it.
  package func isStillHeld(_ session: Session) async throws -> Bool {
    guard sharesSessions, await session.lease.mustBeRenewed(at: clock.now()) else { return true }
    guard let draft = await session.draft(at: clock.now(), always: true) else { return true }
    return try await save([draft]).contains(session.id)
  }

  /// Saves drafts, and removes sessions that another server has acquired.
  ///
  /// - Returns: the sessions that this server holds.
  @discardableResult
  package func save(_ drafts: [SessionDraft<Session>]) async throws -> Set<CheckID> {
    let began = clock.now()
    let held = try await write(drafts)
    for draft in drafts {
      let id = draft.session.id
      if held.contains(id) {
        await draft.session.wasSaved(draft, since: began)
      } else if await !draft.session.isSaved(draft), live[id] === draft.session {
        live[id] = nil
        lost(id)
      }
    }
    return held
  }
}
