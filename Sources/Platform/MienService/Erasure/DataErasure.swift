public import MienCore

/// Erases everything that belongs to a person or a check, as ``PersonalDataCatalog`` lists it.
///
/// Files go first, then the records that name them, and the check last: whatever is interrupted can be begun again. What is
/// sent meanwhile has no check to belong to any more, and is refused or erased by the services within a minute.
public struct DataErasure<Observer: FaceTracking>: Sendable {
  private let checks: LivenessCheckService<Observer>
  private let scans: ScanService?
  private let captures: CaptureService?

  /// - Parameters:
  ///   - scans: nil where there are none.
  ///   - captures: nil where there are none.
  public init(checks: LivenessCheckService<Observer>, scans: ScanService?, captures: CaptureService?) {
    self.checks = checks
    self.scans = scans
    self.captures = captures
  }

  /// Erases all that belongs to a person; checks under way end.
  ///
  /// - Throws: ``ServiceError`` with `notFound` when there is nothing.
  public func delete(_ person: PersonID) async throws -> ErasureCounts {
    var erased = ErasureCounts()
    if let scans { erased = erased + (try await scans.eraseScans(of: person)) }
    if let captures { erased = erased + (try await captures.eraseCaptures(of: person)) }
    erased = erased + (try await checks.delete(person))
    return erased + (try await eraseLeftovers())
  }

  /// Erases a check with all that belongs to it; a check under way ends.
  ///
  /// - Throws: ``ServiceError`` with `notFound` when there is none.
  public func delete(_ check: CheckID) async throws -> ErasureCounts {
    var erased = ErasureCounts()
    if let scans { erased = erased + (try await scans.eraseScans(of: check)) }
    if let captures { erased = erased + (try await captures.eraseCaptures(of: check)) }
    erased = erased + (try await checks.delete(check))
    return erased + (try await eraseLeftovers())
  }

  /// What came while the rest was erased.
  private func eraseLeftovers() async throws -> ErasureCounts {
    var erased = ErasureCounts()
    if let scans { erased = erased + (try await scans.eraseScansWithoutCheck()) }
    if let captures { erased = erased + (try await captures.eraseCapturesWithoutCheck()) }
    return erased
  }
}
