public import MienLiveness
public import MienCore
public import MienService

extension PostgresStore: EnrollmentStore {
  public func enrol(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int {
    try await mapped("Keeping an enrolment") {
      try await pool.transaction { db in
        try db.advisoryLock("mien enrolment", person.text)
        // The version is part of the authenticated context of the encrypted thresholds.
        let version: Int = try db.rows(
          "SELECT coalesce(max(version), 0) + 1 AS next FROM mien.enrolment WHERE person = $1", [person.text])[0][
            "next"]
        try db.send(
          "INSERT INTO mien.enrolment (person, version, created_ms, thresholds) VALUES ($1, $2, $3, $4)",
          [
            person.text, version, time.milliseconds,
            try keyring.json(StoredThresholds(thresholds), .thresholds, of: person.text, "\(version)"),
          ])
        return version
      }
    }
  }

  public func thresholds(of person: PersonID) async throws -> DepthThresholds? {
    try await mapped("Reading an enrolment") {
      try await pool.read { db in
        let row = try db.rows(
          "SELECT version, thresholds FROM mien.enrolment WHERE person = $1 ORDER BY version DESC LIMIT 1",
          [person.text]
        ).first
        guard let row else { return nil }
        let stored: StoredThresholds = try keyring.value(
          try row["thresholds"], .thresholds, of: person.text, "\(try row["version"] as Int)")
        // Thresholds of another formula are incompatible with current measures: the person must enroll again.
        if stored.formula != DepthThresholds.version { return nil }
        guard let thresholds = stored.thresholds else { throw Self.damaged("an enrolment") }
        return thresholds
      }
    }
  }
}
