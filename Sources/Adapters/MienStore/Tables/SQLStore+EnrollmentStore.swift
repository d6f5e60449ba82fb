internal import MienCore
internal import MienLiveness
internal import MienPlatform
internal import MienSecurity
internal import MienChecks

/// Enrolled depth thresholds: table `enrollment`.
extension SQLStore {
  public func enroll(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int {
    try await transaction("Storing an enrollment") { db in
      try db.lock("mien enrollment", person.text)
      // The version is part of the authenticated context of the encrypted thresholds.
      let newest: Int = try db.count(
        "SELECT coalesce(max(version), 0) AS count FROM mien.enrollment WHERE person = $1", [person])
      let version = newest + 1
      try db.insert(
        "enrollment", ["person", "version", "created_ms", "thresholds"],
        [
          person, version, time,
          try keyring.json(StoredThresholds(thresholds), .thresholds, of: person.text, "\(version)"),
        ])
      return version
    }
  }

  public func thresholds(of person: PersonID) async throws -> DepthThresholds? {
    try await read("Reading an enrollment") { db in
      let row = try db.first(
        "SELECT version, thresholds FROM mien.enrollment WHERE person = $1 ORDER BY version DESC LIMIT 1", [person])
      guard let row else { return nil }
      let stored: StoredThresholds = try keyring.value(
        try row["thresholds"], .thresholds, of: person.text, "\(try row["version"] as Int)")
      // Thresholds of another formula are incompatible with current measures: the person must enroll again.
      if stored.formula != DepthThresholds.version { return nil }
      guard let thresholds = stored.thresholds else { throw SQLReadError() }
      return thresholds
    }
  }
}
