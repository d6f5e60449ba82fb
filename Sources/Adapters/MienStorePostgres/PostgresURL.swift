internal import CPostgres

/// Where a database is and how it is talked to: a connection string as libpq and Supabase write it.
///
/// Beside libpq's own words these are understood and taken out: `pgbouncer=true` (a pooler that hands a connection on after
/// each transaction: no statement is prepared and nothing is set for a session), `connection_limit=N` (1 to 100 connections,
/// 8 when not said), `pool_timeout=N` (work waits 1 to 600 seconds for one of them, 10 when not said) and `schema=NAME` (1 to 40 of `a–z 0–9 _`, `mien` when not said).
public struct PostgresURL: Sendable, CustomStringConvertible, CustomReflectable {
  /// libpq's words with their values; one of them is the password.
  let words: [(keyword: String, value: String)]
  /// False behind a pooler that hands a connection on after each transaction.
  let keepsSessions: Bool
  /// How many connections are opened at most.
  public let connections: Int
  /// How long work waits for a free connection, in seconds.
  let poolTimeout: Int
  /// The schema of the live space; other spaces add to it.
  public let schema: String

  private static let ownWords: Set<Substring> = ["pgbouncer", "connection_limit", "pool_timeout", "schema"]

  /// Refuses (nil) what is no connection string of PostgreSQL.
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

  /// True when a text is meant for this store at all.
  public static func isMeant(by text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "_")
  }

  /// Reads the string as libpq does; its words about what is wrong with it may hold a part of the password, and go.
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

  /// The value of one of libpq's words; nil when the string does not have it.
  private func value(of keyword: String) -> String? { words.first { $0.keyword == keyword }?.value }

  /// Host, port and database: neither user nor password.
  public var description: String {
    let host = value(of: "host").map { $0.isEmpty ? "localhost" : $0 } ?? "localhost"
    return "postgres://\(host):\(value(of: "port") ?? "5432")/\(value(of: "dbname") ?? "")"
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
