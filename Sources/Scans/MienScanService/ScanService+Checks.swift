public import MienPlatform
public import MienCore

/// The single scan that the subject of a check may send with the check's token.
extension ScanService {
  /// Returns the owner digest of a check's scan: it belongs to the check, not to an API key.
  public static func owner(_ check: CheckID) -> SecretDigest { SecretDigest(of: "check \(check.text)") }

  /// The request name of a check's scan: there is only one.
  public static let checkRequest = "check"

  /// Returns the scan created with a check's token; `nil` if there is none.
  public nonisolated func scan(of check: CheckID) async throws -> ScanID? {
    try await store.scan(of: Self.owner(check), request: Self.checkRequest)
  }

  /// Deletes the scans created with a check's token.
  package func deleteScans(of check: CheckID) async throws -> ErasureCounts { try await delete(store.scans(of: check)) }

  /// Deletes the scans created with the tokens of a person's checks.
  package func deleteScans(of person: PersonID) async throws -> ErasureCounts {
    try await delete(store.scans(of: person))
  }

  /// Deletes scans whose checks no longer exist.
  @discardableResult
  package func deleteScansWithoutCheck() async throws -> ErasureCounts { try await delete(store.scansWithoutCheck()) }

  private func delete(_ ids: [ScanID]) async throws -> ErasureCounts {
    var (deleted, failure): (ErasureCounts, (any Error)?) = (ErasureCounts(), nil)
    for id in ids {
      do {
        let scan = try? await store.scan(id)
        guard try await delete(id) else { continue }
        deleted[.scans] += 1
        if let scan { deleted[.scanFiles] += scan.files.count + scan.results.count }
      } catch {
        failure = error  // a failed deletion does not block the others
      }
    }
    if let failure { throw failure }
    return deleted
  }
}
