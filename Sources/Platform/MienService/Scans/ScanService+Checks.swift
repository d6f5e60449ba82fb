public import MienCore

/// The one scan that a person under a check may send with the check's token.
extension ScanService {
  /// Who the scan's owner is: a check, and nobody's key.
  public static func owner(_ check: CheckID) -> SecretDigest { SecretDigest(of: "check \(check.text)") }

  /// The request that makes a check's scan: there is one.
  public static let checkRequest = "check"

  /// The scan that a check's token made; nil when there is none.
  public nonisolated func scan(of check: CheckID) async throws -> ScanID? {
    try await store.scan(of: Self.owner(check), request: Self.checkRequest)
  }

  /// Erases what a check's token made.
  func eraseScans(of check: CheckID) async throws -> ErasureCounts { try await delete(store.scans(of: check)) }

  /// Erases what tokens of a person's checks made.
  func eraseScans(of person: PersonID) async throws -> ErasureCounts { try await delete(store.scans(of: person)) }

  /// Erases what checks that are not there any more have left.
  @discardableResult
  func eraseScansWithoutCheck() async throws -> ErasureCounts { try await delete(store.scansWithoutCheck()) }

  private func delete(_ ids: [ScanID]) async throws -> ErasureCounts {
    var (erased, failure): (ErasureCounts, (any Error)?) = (ErasureCounts(), nil)
    for id in ids {
      do {
        let scan = try? await store.scan(id)
        guard try await delete(id) else { continue }
        erased[.scans] += 1
        if let scan { erased[.scanFiles] += scan.files.count + scan.results.count }
      } catch {
        failure = error  // one that cannot go yet holds up none of the others
      }
    }
    if let failure { throw failure }
    return erased
  }
}
