internal import MienPlatform

/// Error of the connection to the database. Only the code of the database's error is stored, because its message may contain values.
struct PostgresError: Error, Hashable {
  enum Kind: Hashable {
    /// No connection could be established. libpq's message contains at most host, port, user, and database.
    case unreachable(String)
    /// The connection was lost during use, or timed out.
    case lost
    /// The database reported an error with an SQLSTATE of five characters.
    case refused(String)
    /// No connection became available in time.
    case crowded
    /// A value does not have the expected type of its column.
    case unreadable
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// `true` if retrying the whole transaction may succeed, because it was aborted to resolve a deadlock or serialization conflict.
  var isClash: Bool { kind == .refused("40P01") || kind == .refused("40001") }

  /// `true` if the database's disk is full (`disk_full`).
  var lacksSpace: Bool { kind == .refused("53100") }

  /// Returns the corresponding service error.
  func storeError(_ what: String) -> StoreError {
    switch kind {
    case .refused("23505"):
      StoreError(.duplicate, reason: "\(what): the record already exists and cannot be overwritten.")
    case .refused("23503"): StoreError(.missing, reason: "\(what): the record that it refers to does not exist.")
    case .refused("53100"):
      StoreError(.unavailable, reason: "\(what) failed: PostgreSQL's disk is full (53100). Free some space there.")
    case .refused(let code): StoreError(.unavailable, reason: "\(what) failed: PostgreSQL \(code).")
    case .lost: StoreError(.unavailable, reason: "\(what) failed: the connection to PostgreSQL broke.")
    case .crowded: StoreError(.unavailable, reason: "\(what) failed: all connections to PostgreSQL are busy.")
    case .unreachable(let words): StoreError(.unavailable, reason: "\(what) failed: \(words)")
    case .unreadable:
      StoreError(
        .unavailable,
        reason: "\(what) failed: the database holds a value that cannot be read. Restore it from a backup.")
    }
  }
}
