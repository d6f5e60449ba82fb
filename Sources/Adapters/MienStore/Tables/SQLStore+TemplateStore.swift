internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import MienChecks

/// Templates of checks and of enrolled persons: tables `check_template` and `face_template`.
extension SQLStore {
  public func keptTemplate(of check: CheckID) async throws -> FaceReference? {
    try await lookup("Reading a check's template") { db in
      try db.first("SELECT bytes FROM mien.check_template WHERE check_id = $1", [check]).map { row in
        FaceReference(stored: try keyring.open(try row["bytes"], .checkTemplate, of: check.text))
      }
    }
  }

  public func template(of person: PersonID) async throws -> EnrolledTemplate? {
    try await lookup("Reading a person's template") { db in
      try db.first("SELECT * FROM mien.face_template WHERE person = $1", [person]).map { row in
        EnrolledTemplate(
          model: try row["model"], created: try row["created_ms"], check: try row[optional: "check_id"],
          face: FaceReference(stored: try keyring.open(try row["bytes"], .faceTemplate, of: person.text)))
      }
    }
  }

  public func enroll(_ person: PersonID, _ template: EnrolledTemplate) async throws {
    try await transaction("Storing a person's template") { db in
      if let check = template.check {
        // Also locks the row: a deletion of the check or of the person waits for the end of this transaction, and then
        // deletes the person's template as well.
        guard try db.change("DELETE FROM mien.check_template WHERE check_id = $1", [check]) == 1 else {
          throw StoreError(.missing, reason: "The check has no template.")
        }
      }
      try db.execute(
        """
        INSERT INTO mien.face_template (person, model, created_ms, check_id, bytes) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (person) DO UPDATE SET model = excluded.model, created_ms = excluded.created_ms,
          check_id = excluded.check_id, bytes = excluded.bytes
        """,
        [
          person, template.model, template.created, template.check,
          keyring.close(template.face.bytes, .faceTemplate, of: person.text),
        ])
    }
    try await purgeReplaced()
  }

  public func deleteTemplates(of person: PersonID) async throws -> Int {
    try await purging(
      transaction("Deleting a person's templates") { db in
        // In the order of an enrollment, which locks the rows in turn.
        let kept = try db.change(
          """
          DELETE FROM mien.check_template
          WHERE check_id IN (SELECT id FROM mien.liveness_check WHERE person = $1)
          """, [person])
        return kept + (try db.change("DELETE FROM mien.face_template WHERE person = $1", [person]))
      })
  }

  public func deleteKeptTemplates(decidedBefore time: UnixTime) async throws -> Int {
    try await purging(
      change(
        "Deleting templates of checks",
        """
        DELETE FROM mien.check_template
        WHERE check_id IN (SELECT check_id FROM mien.verdict WHERE decided_ms < $1)
        """, [time]))
  }

  func insert(_ template: FaceReference, of check: CheckID, into db: any SQLConnection) throws {
    try db.insert(
      "check_template", ["check_id", "bytes"],
      [check, keyring.close(template.bytes, .checkTemplate, of: check.text)])
  }
}
