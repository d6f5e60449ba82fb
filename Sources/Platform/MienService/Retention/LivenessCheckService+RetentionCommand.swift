/// What the server erases by itself is told to those who answer for it.
extension LivenessCheckService {
  /// Writes down in the audit log what was erased because its time was over, in one entry for all of it since the last; none where
  /// nothing was.
  public func reportRetention() async throws {
    guard let audit else { return }
    try await retention.report(at: clock.timeOfDay()) { report in
      try await audit.add(.erasedByAge, of: report.text, by: AuditLog.retention)
    }
  }
}
