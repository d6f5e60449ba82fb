public import MienModel
public import MienService

extension PostgresStore: SubjectStore {
  public func lockout(of subject: LockoutSubject) async throws -> LockoutMachine {
    try await mapped("Reading failures") {
      try await pool.read { db in try Self.lockout(of: subject, in: &db) }
    }
  }

  /// Counts a result to whom its check belongs to; a part of the transaction that keeps the result.
  static func count(
    _ result: CheckResult, of subjects: [LockoutSubject], _ rules: LockoutSettings, in db: inout PostgresConnection
  ) throws {
    // Always in this order, person before device: two results never wait for each other.
    for subject in subjects {
      // There may be no row to lock yet.
      try db.takeTurn("mien lockout \(subject.kind)", subject.name)
      var machine = try lockout(of: subject, in: &db)
      let before = machine
      machine.ended(passed: result.outcome == .passed, at: result.decided, rules)
      guard let expires = machine.expires(rules) else {
        // Most people never fail.
        if before != LockoutMachine() {
          try db.change("DELETE FROM mien.lockout WHERE kind = $1 AND name = $2", [subject.kind, subject.name])
        }
        continue
      }
      try db.change(
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

  public func forgetLockouts(expiredBy time: UnixTime) async throws -> Int {
    try await mapped("Forgetting failures") {
      try await pool.write { db in
        try db.change("DELETE FROM mien.lockout WHERE expires_ms <= $1", [time.milliseconds])
      }
    }
  }

  public func erase(_ person: PersonID) async throws -> Bool {
    try await mapped("Erasing a person") {
      try await pool.transaction { db in
        var count = try db.change("DELETE FROM mien.liveness_check WHERE person = $1", [person.text])
        count += try db.change("DELETE FROM mien.enrolment WHERE person = $1", [person.text])
        count += try db.change("DELETE FROM mien.lockout WHERE kind = 'person' AND name = $1", [person.text])
        return count > 0
      }
    }
  }

  private static func lockout(of subject: LockoutSubject, in db: inout PostgresConnection) throws -> LockoutMachine {
    let rows = try db.rows(
      "SELECT failures, locked_until_ms FROM mien.lockout WHERE kind = $1 AND name = $2", [subject.kind, subject.name])
    guard let row = rows.first else { return LockoutMachine() }
    let failures: [Int64] = try value(try row["failures"], "a lockout")
    return LockoutMachine(
      failures: failures.map { UnixTime(milliseconds: $0) },
      lockedUntil: (try row[maybe: "locked_until_ms"] as Int64?).map { UnixTime(milliseconds: $0) })
  }
}
