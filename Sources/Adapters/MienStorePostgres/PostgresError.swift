internal import MienService

/// What went wrong between us and the database. Of the database's answer only the code is kept: its words may name values.
struct PostgresError: Error, Hashable {
  enum Kind: Hashable {
    /// No connection could be made. libpq's words name host, port, user and database at most.
    case unreachable(String)
    /// The connection broke while it was used, or took too long.
    case lost
    /// The database refused, with an SQLSTATE of five characters.
    case refused(String)
    /// Nobody could be found to do it in time.
    case crowded
    /// A value is not what its column should hold.
    case unreadable
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// True when doing all of the transaction again may well succeed: it was chosen to end a deadlock.
  var isClash: Bool { kind == .refused("40P01") || kind == .refused("40001") }

  /// True when the database's disk is full (`disk_full`).
  var lacksRoom: Bool { kind == .refused("53100") }

  /// The service's error.
  func storeError(_ what: String) -> StoreError {
    switch kind {
    case .refused("23505"): StoreError(.duplicate, reason: "\(what): it is there already and is written only once.")
    case .refused("23503"): StoreError(.missing, reason: "\(what): what it belongs to is not there.")
    case .refused("53100"):
      StoreError(.unavailable, reason: "\(what) failed: PostgreSQL's disk is full (53100). Make room there.")
    case .refused(let code): StoreError(.unavailable, reason: "\(what) failed: PostgreSQL \(code).")
    case .lost: StoreError(.unavailable, reason: "\(what) failed: the connection to PostgreSQL broke.")
    case .crowded: StoreError(.unavailable, reason: "\(what) failed: all connections to PostgreSQL are busy.")
    case .unreachable(let words): StoreError(.unavailable, reason: "\(what) failed: \(words)")
    case .unreadable:
      StoreError(.unavailable, reason: "\(what) failed: the database holds what cannot be read. Restore a backup.")
    }
  }
}
