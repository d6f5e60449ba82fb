internal import MienPlatform
internal import MienStore

/// Keeps servers out of a database during a key rotation, and detects whether the exclusion ever lapsed.
actor ExclusiveMaintenanceLock {
  /// Heartbeat interval in seconds, and the shorter interval after a failed heartbeat.
  private static let (period, retry) = (5, 1)
  /// Age of the last heartbeat from which the lock counts as lost. It is less than the timeout of the servers, to leave
  /// time for the last step under the lock.
  private static let lease = Duration.seconds(PostgresStore.timeout - 10)

  /// Time just before the last successful heartbeat.
  private var heard: ContinuousClock.Instant
  private var isLost = false

  init(since heard: ContinuousClock.Instant) { self.heard = heard }

  /// `false` once servers may have considered the command gone, however briefly: a server that started then is not
  /// stopped again.
  var isKept: Bool { !isLost && heard.duration(to: .now) < Self.lease }

  /// Sends heartbeats to the database until the task is canceled.
  func beat(_ store: PostgresStore, console: any OperatorConsole) async {
    var isAway = false
    while !Task.isCancelled {
      let began = ContinuousClock.now
      do {
        try await store.heartbeat()
        isLost = !isKept
        heard = began
        isAway = false
      } catch {
        guard !Task.isCancelled else { return }
        if !isAway { console.note("\((error as? StoreError)?.reason ?? "\(type(of: error))") It is tried again.") }
        isAway = true
      }
      do { try await Task.sleep(for: .seconds(isAway ? Self.retry : Self.period)) } catch { return }
    }
  }
}
