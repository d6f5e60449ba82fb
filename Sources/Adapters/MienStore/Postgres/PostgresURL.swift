internal import CPostgres
internal import MienPlatform

/// Connection string of a database in the format of libpq and Supabase.
///
/// In addition to libpq's parameters, these are supported and removed: `pgbouncer=true` (a pooler in transaction mode: no statement is
/// prepared and no session setting is made), `connection_limit=N` (1 to 100 connections, default 8), `pool_timeout=N` (wait of 1 to 600
/// seconds for a connection, default 10), and `schema=NAME` (1 to 40 of `a–z 0–9 _`, default `mien`).
public struct PostgresURL: Sendable, CustomStringConvertible, CustomReflectable {
  /// libpq's parameters with their values, including the password.
  let words: [(keyword: String, value: String)]
  /// `false` behind a pooler in transaction mode.
  let keepsSessions: Bool
  /// Maximum number of open connections.
  public let connections: Int
  /// Maximum wait for a free connection, in seconds.
  let poolTimeout: Int
  /// Schema of the live realm; other realms add a suffix.
  public let schema: String

  /// Returns the schema of a realm.
  func schema(of realm: Realm) -> String { realm == .live ? schema : schema + "_sandbox" }

  private static let ownWords: Set<Substring> = ["pgbouncer", "connection_limit", "pool_timeout", "schema"]

  /// Returns `nil` if the text is not a PostgreSQL connection string.
  public init?(_ text: String) {
    guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else { return nil }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var own: [Substring: Substring] = [:]
    var others: [Substring] = []
    for part in halves.dropFirst().joined().split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if let name = pair.first, pair.count == 2, Self.ownWords.contains(name) {
        own[name] = pair[1]
      } else {
        others.append(part)
      }
    }
    guard let words = Self.words(halves[0] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))) else {
      return nil
    }
    let limit = own["connection_limit"].map { Int($0) } ?? 8
    guard let limit, (1...100).contains(limit) else { return nil }
    let wait = own["pool_timeout"].map { Int($0) } ?? 10
    guard let wait, (1...600).contains(wait) else { return nil }
    let schema = own["schema"] ?? "mien"
    guard (1...40).contains(schema.utf8.count), schema.utf8.allSatisfy(Self.isPlain), schema.first?.isNumber == false
    else { return nil }
    switch own["pgbouncer"] {
    case nil, "false": keepsSessions = true
    case "true": keepsSessions = false
    default: return nil
    }
    self.words = words
    self.schema = String(schema)
    connections = limit
    poolTimeout = wait
  }

  /// Reports whether a text is meant to be a PostgreSQL connection string.
  public static func isMeant(by text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "_")
  }

  /// Parses the string with libpq. Its error message is discarded, because it may contain a part of the password.
  private static func words(_ text: some StringProtocol) -> [(keyword: String, value: String)]? {
    guard let options = unsafe PQconninfoParse(String(text), nil) else { return nil }
    defer { unsafe PQconninfoFree(options) }
    var words: [(keyword: String, value: String)] = []
    var index = 0
    while let keyword = unsafe options[index].keyword {
      if let value = unsafe options[index].val {
        words.append((unsafe String(cString: keyword), unsafe String(cString: value)))
      }
      index += 1
    }
    return words
  }

  /// Returns the value of a libpq parameter, or `nil` if the string does not contain it.
  private func value(of keyword: String) -> String? { words.first { $0.keyword == keyword }?.value }

  /// Host, port, and database, without user and password.
  public var description: String {
    let host = value(of: "host").map { $0.isEmpty ? "localhost" : $0 } ?? "localhost"
    return "postgres://\(host):\(value(of: "port") ?? "5432")/\(value(of: "dbname") ?? "")"
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
