internal import MienCore
public import MienService

extension PostgresStore: LockoutStore {
  public func lockouts(of subjects: [LockoutSubject]) async throws -> [LockoutSubject: LockoutPolicy] {
    guard !subjects.isEmpty else { return [:] }
    return try await mapped("Reading failures") {
      try await pool.read { db in try Self.lockouts(of: subjects, in: &db) }
    }
  }

  /// Counts a result for the subjects of its check. Must run in the transaction that stores the result.
  static func count(
    _ result: CheckResult, of subjects: [LockoutSubject], _ rules: LockoutSettings, in db: inout PostgresConnection
  ) throws {
    guard !subjects.isEmpty else { return }
    if result.outcome != .passed {
      // There may be no row to lock yet, so advisory locks are used. The fixed order, person before device, prevents deadlocks. A passed
      // check inserts no row: a concurrent failure counts as later.
      let turns = subjects.indices.map { "pg_advisory_xact_lock(hashtext($\(2 * $0 + 1)), hashtext($\(2 * $0 + 2)))" }
      try db.send(
        "SELECT \(turns.joined(separator: ", "))", subjects.flatMap { ["mien lockout \($0.kind)", $0.name] })
    }
    let kept = try lockouts(of: subjects, " ORDER BY kind DESC FOR UPDATE", in: &db)
    for subject in subjects {
      var machine = kept[subject] ?? LockoutPolicy()
      let before = machine
      machine.ended(passed: result.outcome == .passed, at: result.decided, rules)
      guard let expires = machine.expires(rules) else {
        // Most subjects have no failures.
        if before != LockoutPolicy() {
          try db.send("DELETE FROM mien.lockout WHERE kind = $1 AND name = $2", [subject.kind, subject.name])
        }
        continue
      }
      try db.send(
        """
        INSERT INTO mien.lockout (kind, name, failures, locked_until_ms, expires_ms) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (kind, name) DO UPDATE SET failures = excluded.failures,
          locked_until_ms = excluded.locked_until_ms, expires_ms = excluded.expires_ms
        """,
        [
          subject.kind, subject.name, try json(machine.failures.map(\.milliseconds)),
          machine.lockedUntil?.milliseconds, expires.milliseconds,
        ])
    }
  }

  public func purgeLockouts(expiredBy time: UnixTime) async throws -> Int {
    try await mapped("Forgetting failures") {
      try await pool.write { db in
        try db.change("DELETE FROM mien.lockout WHERE expires_ms <= $1", [time.milliseconds])
      }
    }
  }

  private static func lockouts(
    of subjects: [LockoutSubject], _ more: String = "", in db: inout PostgresConnection
  ) throws -> [LockoutSubject: LockoutPolicy] {
    let pairs = subjects.indices.map { "($\(2 * $0 + 1), $\(2 * $0 + 2))" }
    let rows = try db.rows(
      """
      SELECT kind, failures, locked_until_ms FROM mien.lockout
      WHERE (kind, name) IN (\(pairs.joined(separator: ", ")))\(more)
      """,
      subjects.flatMap { [$0.kind, $0.name] })
    var kept: [LockoutSubject: LockoutPolicy] = [:]
    for row in rows {
      let kind: String = try row["kind"]
      guard let subject = subjects.first(where: { $0.kind == kind }) else { throw damaged("a lockout") }
      let failures: [Int64] = try value(try row["failures"], "a lockout")
      kept[subject] = LockoutPolicy(
        failures: failures.map { UnixTime(milliseconds: $0) },
        lockedUntil: (try row[maybe: "locked_until_ms"] as Int64?).map { UnixTime(milliseconds: $0) })
    }
    return kept
  }
}
