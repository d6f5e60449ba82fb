internal import Foundation
internal import GRDB
internal import MienCore
public import MienService

extension SQLiteStore: LockoutStore {
  public func lockouts(of subjects: [LockoutSubject]) async throws -> [LockoutSubject: LockoutPolicy] {
    try await mapped("Reading failures") {
      try await database.read { db in
        try subjects.reduce(into: [:]) { $0[$1] = try Self.lockout(of: $1, in: db) }
      }
    }
  }

  /// Counts a result for the subjects of its check. Must run in the transaction that stores the result.
  func count(_ result: CheckResult, of id: CheckID, _ rules: LockoutSettings, in db: Database) throws {
    guard let row = try Row.fetchOne(db, sql: "SELECT * FROM liveness_check WHERE id = ?", arguments: [id.text])
    else { return }
    for subject in try record(row).subjects {
      var machine = try Self.lockout(of: subject, in: db)
      machine.ended(passed: result.outcome == .passed, at: result.decided, rules)
      guard let expires = machine.expires(rules) else {
        try db.execute(
          sql: "DELETE FROM lockout WHERE kind = ? AND name = ?", arguments: [subject.kind, subject.name])
        continue
      }
      let failures = String(decoding: try JSONEncoder().encode(machine.failures.map(\.milliseconds)), as: UTF8.self)
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO lockout (kind, name, failures, locked_until_ms, expires_ms) VALUES (?, ?, ?, ?, ?)
          """,
        arguments: [
          subject.kind, subject.name, failures, machine.lockedUntil?.milliseconds, expires.milliseconds,
        ])
    }
  }

  public func purgeLockouts(expiredBy time: UnixTime) async throws -> Int {
    try await mapped("Forgetting failures") {
      let some = try await database.read { db in
        try Int.fetchOne(db, sql: "SELECT 1 FROM lockout WHERE expires_ms <= ?", arguments: [time.milliseconds])
      }
      guard some != nil else { return 0 }
      return try await database.write { db in
        try db.execute(sql: "DELETE FROM lockout WHERE expires_ms <= ?", arguments: [time.milliseconds])
        return db.changesCount
      }
    }
  }

  private static func lockout(of subject: LockoutSubject, in db: Database) throws -> LockoutPolicy {
    let row = try Row.fetchOne(
      db, sql: "SELECT * FROM lockout WHERE kind = ? AND name = ?", arguments: [subject.kind, subject.name])
    guard let row else { return LockoutPolicy() }
    guard let failures = try? JSONDecoder().decode([Int64].self, from: Data((row["failures"] as String).utf8)) else {
      throw damaged("a lockout")
    }
    return LockoutPolicy(
      failures: failures.map { UnixTime(milliseconds: $0) },
      lockedUntil: (row["locked_until_ms"] as Int64?).map { UnixTime(milliseconds: $0) })
  }
}
