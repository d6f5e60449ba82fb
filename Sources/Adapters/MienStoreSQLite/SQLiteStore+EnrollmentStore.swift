internal import Foundation
internal import GRDB
public import MienLiveness
public import MienCore
public import MienService

extension SQLiteStore: EnrollmentStore {
  public func enrol(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int {
    try await mapped("Keeping an enrolment") {
      try await database.write { db in
        let newest = try Int.fetchOne(
          db, sql: "SELECT max(version) FROM enrolment WHERE person = ?", arguments: [person.text])
        let version = newest.map { $0 + 1 } ?? 1
        try db.execute(
          sql: "INSERT INTO enrolment (person, version, created_ms, thresholds) VALUES (?, ?, ?, ?)",
          arguments: [
            person.text, version, time.milliseconds,
            try keyring.json(StoredThresholds(thresholds), .thresholds, of: person.text, "\(version)"),
          ])
        return version
      }
    }
  }

  public func thresholds(of person: PersonID) async throws -> DepthThresholds? {
    try await mapped("Reading an enrolment") {
      try await database.read { db in
        let row = try Row.fetchOne(
          db, sql: "SELECT version, thresholds FROM enrolment WHERE person = ? ORDER BY version DESC LIMIT 1",
          arguments: [person.text])
        guard let row else { return nil }
        let stored: StoredThresholds = try keyring.value(
          row["thresholds"], .thresholds, of: person.text, "\(row["version"] as Int)")
        // Thresholds of another formula are incompatible with current measures: the person must enroll again.
        if stored.formula != DepthThresholds.version { return nil }
        guard let thresholds = stored.thresholds else { throw Self.damaged("an enrolment") }
        return thresholds
      }
    }
  }
}
