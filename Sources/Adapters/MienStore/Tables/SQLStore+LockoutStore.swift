internal import MienCore
internal import MienPlatform
internal import MienChecks

/// Failed attempts of persons and devices: table `lockout`.
extension SQLStore {
  public func lockouts(of subjects: [LockoutSubject]) async throws -> [LockoutSubject: LockoutPolicy] {
    guard !subjects.isEmpty else { return [:] }
    return try await read("Reading failures") { db in try Self.lockouts(of: subjects, in: db) }
  }

  /// Counts a result for the subjects of its check. Must run in the transaction that stores the result.
  static func count(
    _ result: CheckResult, of subjects: [LockoutSubject], _ rules: LockoutSettings, in db: any SQLConnection
  ) throws {
    guard !subjects.isEmpty else { return }
    if result.outcome != .passed {
      // There may be no row to lock yet. The fixed order, person before device, prevents deadlocks. A passed check inserts no row: a
      // concurrent failure counts as later.
      for subject in subjects { try db.lock("mien lockout \(subject.kind)", subject.name) }
    }
    let stored = try lockouts(of: subjects, " ORDER BY kind DESC FOR UPDATE", in: db)
    for subject in subjects {
      var policy = stored[subject] ?? LockoutPolicy()
      let before = policy
      policy.ended(passed: result.outcome == .passed, at: result.decided, rules)
      guard let expires = policy.expires(rules) else {
        // Most subjects have no failures.
        if before != LockoutPolicy() {
          try db.execute("DELETE FROM mien.lockout WHERE kind = $1 AND name = $2", [subject.kind, subject.name])
        }
        continue
      }
      try db.execute(
        """
        INSERT INTO mien.lockout (kind, name, failures, locked_until_ms, expires_ms) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (kind, name) DO UPDATE SET failures = excluded.failures,
          locked_until_ms = excluded.locked_until_ms, expires_ms = excluded.expires_ms
        """,
        [subject.kind, subject.name, try json(policy.failures.map(\.milliseconds)), policy.lockedUntil, expires])
    }
  }

  public func purgeLockouts(expiredBy time: UnixTime) async throws -> Int {
    try await change("Deleting failures", "DELETE FROM mien.lockout WHERE expires_ms <= $1", [time])
  }

  private static func lockouts(
    of subjects: [LockoutSubject], _ more: String = "", in db: any SQLConnection
  ) throws -> [LockoutSubject: LockoutPolicy] {
    let names = subjects.indices.map { "(kind = $\(2 * $0 + 1) AND name = $\(2 * $0 + 2))" }
    let rows = try db.rows(
      "SELECT * FROM mien.lockout WHERE \(names.joined(separator: " OR "))\(more)",
      subjects.flatMap { [$0.kind, $0.name] })
    var found: [LockoutSubject: LockoutPolicy] = [:]
    for row in rows {
      let (kind, name): (String, String) = (try row["kind"], try row["name"])
      guard let subject = subjects.first(where: { $0.kind == kind && $0.name == name }) else { throw SQLReadError() }
      let failures: [Int64] = try value(try row["failures"])
      found[subject] = LockoutPolicy(
        failures: failures.map { UnixTime(milliseconds: $0) }, lockedUntil: try row[optional: "locked_until_ms"])
    }
    return found
  }
}
