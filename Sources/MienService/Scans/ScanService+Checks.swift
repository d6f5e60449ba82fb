public import MienModel

/// The one scan that a person under a check may send with the check's token.
extension ScanService {
  /// Who the scan's owner is: a check, and nobody's key.
  public static func owner(_ check: SessionID) -> SecretDigest { SecretDigest(of: "check \(check.text)") }

  /// The request that makes a check's scan: there is one.
  public static let checkRequest = "check"

  /// The scan that a check's token made; nil when there is none.
  public nonisolated func scan(of check: SessionID) async throws -> ScanID? {
    try await store.scan(of: Self.owner(check), request: Self.checkRequest)
  }
}
