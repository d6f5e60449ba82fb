public import MienChallenges
public import MienModel
public import MienService

extension PostgresStore: EnrolmentStore {
  public func enrol(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int {
    try await mapped("Keeping an enrolment") {
      try await pool.transaction { db in
        try db.takeTurn("mien enrolment", person.text)
        return try db.rows(
          """
          INSERT INTO mien.enrolment (person, version, created_ms, thresholds)
          SELECT $1::text, coalesce(max(version), 0) + 1, $2::bigint, $3::json FROM mien.enrolment WHERE person = $1 RETURNING version
          """, [person.text, time.milliseconds, try Self.json(StoredThresholds(thresholds))])[0]["version"]
      }
    }
  }

  public func thresholds(of person: PersonID) async throws -> DepthThresholds? {
    try await mapped("Reading an enrolment") {
      try await pool.read { db in
        let row = try db.rows(
          "SELECT thresholds FROM mien.enrolment WHERE person = $1 ORDER BY version DESC LIMIT 1", [person.text]
        ).first
        guard let row else { return nil }
        let stored: StoredThresholds = try Self.value(try row["thresholds"], "an enrolment")
        // Thresholds of another formula do not compare with today's measures: the person has to enrol anew.
        if stored.formula != DepthThresholds.version { return nil }
        guard let thresholds = stored.thresholds else { throw Self.damaged("an enrolment") }
        return thresholds
      }
    }
  }
}
