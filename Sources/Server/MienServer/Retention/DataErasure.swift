internal import HTTPTypes
internal import Hummingbird
internal import MienAPI
internal import MienCaptures
internal import MienChecks
internal import MienCore
internal import MienPlatform
internal import MienScanService

/// Deletes all data of a person or a check, as listed in ``PersonalDataCatalog``.
///
/// Files are deleted first, then the records that reference them, and the check last: an interrupted deletion can be
/// started again. Data sent in the meantime has no check to belong to, and is rejected or deleted by the services
/// within a minute.
struct DataErasure: Sendable {
  private let checks: LivenessCheckService
  private let scans: ScanService?
  private let captures: CaptureService?

  /// - Parameters:
  ///   - scans: `nil` if the server stores no scans.
  ///   - captures: `nil` if the server stores no captures.
  init(checks: LivenessCheckService, scans: ScanService?, captures: CaptureService?) {
    self.checks = checks
    self.scans = scans
    self.captures = captures
  }

  /// Deletes all data of a person and ends checks in progress.
  ///
  /// - Throws: ``ServiceError`` with `notFound` if there is none.
  func delete(_ person: PersonID) async throws -> ErasureCounts {
    var deleted = ErasureCounts()
    if let scans { deleted = deleted + (try await scans.deleteScans(of: person)) }
    if let captures { deleted = deleted + (try await captures.deleteCaptures(of: person)) }
    deleted = deleted + (try await checks.delete(person))
    return deleted + (try await deleteLeftovers())
  }

  /// Deletes a check with all associated data, and ends it if it is in progress.
  ///
  /// - Throws: ``ServiceError`` with `notFound` if there is none.
  func delete(_ check: CheckID) async throws -> ErasureCounts {
    var deleted = ErasureCounts()
    if let scans { deleted = deleted + (try await scans.deleteScans(of: check)) }
    if let captures { deleted = deleted + (try await captures.deleteCaptures(of: check)) }
    deleted = deleted + (try await checks.delete(check))
    return deleted + (try await deleteLeftovers())
  }

  /// Deletes data that was received during the deletion.
  private func deleteLeftovers() async throws -> ErasureCounts {
    var deleted = ErasureCounts()
    if let scans { deleted = deleted + (try await scans.deleteScansWithoutCheck()) }
    if let captures { deleted = deleted + (try await captures.deleteCapturesWithoutCheck()) }
    return deleted
  }
}

extension DeletionResponse {
  init(_ counts: ErasureCounts) {
    self.init(deleted: Dictionary(uniqueKeysWithValues: DeletedDataKind.allCases.map { ($0.rawValue, counts[$0]) }))
  }
}

extension CheckRoutes {
  /// Responds to a deletion: with no content, or with the counts if the request asks for proof (`Prefer:
  /// return=representation`).
  static func erasureReply(_ deleted: ErasureCounts, to request: Request) -> Response {
    guard RequestParsing.prefersRepresentation(request) else {
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    var response = JSONResponse.json(DeletionResponse(deleted))
    response.headers[.preferenceApplied] = "return=representation"
    return response
  }
}
