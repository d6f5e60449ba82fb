import MienAvatars
import MienService
import MienStoreSQLite
import MienVault

/// Two connections to one database, in turns, as of two servers.
struct TwoStores: MessageStore {
  let first: SQLiteStore
  let second: SQLiteStore

  private var either: SQLiteStore { Bool.random() ? first : second }

  func keep(_ message: LockedMessage) async throws { try await either.keep(message) }
  func message(_ id: MessageCode) async throws -> LockedMessage? { try await either.message(id) }
  func changeLock<Outcome: Sendable>(
    of id: MessageCode, _ change: @Sendable @escaping (inout LockMachine) -> Outcome
  ) async throws -> (outcome: Outcome, message: LockedMessage)? { try await either.changeLock(of: id, change) }
  func expireMessages(at time: UnixTime, limit: Int) async throws -> Int {
    try await either.expireMessages(at: time, limit: limit)
  }
  func forgetMessages(expiredBefore time: UnixTime, limit: Int) async throws -> Int {
    try await either.forgetMessages(expiredBefore: time, limit: limit)
  }
}
