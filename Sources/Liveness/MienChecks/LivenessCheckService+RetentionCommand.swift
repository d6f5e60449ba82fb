internal import MienAccess
internal import MienPlatform

/// Audit reports about automatic deletion.
extension LivenessCheckService {
  /// Adds an audit entry with the number of records purged by age since the last entry; none if nothing was purged.
  public func reportRetention() async throws {
    guard let audit else { return }
    try await retention.report(at: clock.timeOfDay()) { report in
      try await audit.add(.erasedByAge, of: report.text, by: AuditLog.retention)
    }
  }
}
