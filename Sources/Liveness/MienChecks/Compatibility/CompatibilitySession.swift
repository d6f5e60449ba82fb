public import MienCore

/// Data of a session created through a compatible API, stored in addition to its check.
public struct CompatibilitySession: Hashable, Sendable {
  public enum CompatibleAPI: String, Hashable, Sendable, CaseIterable {
    /// Amazon Rekognition Face Liveness.
    case aws
  }

  public let api: CompatibleAPI
  /// ID of the access key that created the session.
  public let owner: String
  /// The caller's idempotency token: a repeated request creates no second session. Unique per owner until the session
  /// expires.
  public let requestToken: String?
  /// SHA-256 of all other parameters of the request, 32 bytes.
  public let parameters: [UInt8]
  /// Number of audit images to store, 0…4.
  public let auditImages: Int

  public init(api: CompatibleAPI, owner: String, requestToken: String?, parameters: [UInt8], auditImages: Int) {
    self.api = api
    self.owner = owner
    self.requestToken = requestToken
    self.parameters = parameters
    self.auditImages = auditImages
  }
}

/// Stores the sessions of compatible APIs.
public protocol CompatibilitySessionStore: Sendable {
  /// Stores a check together with its session, or returns the session that the same owner created earlier with the same
  /// request token, if that has not expired when the new check is created.
  ///
  /// - Returns: `nil` if the new one was stored, otherwise the earlier session.
  /// - Throws: ``StoreError/Code/duplicate`` if the check's ID is taken.
  func create(_ check: CheckRecord, _ session: CompatibilitySession) async throws -> (CheckID, CompatibilitySession)?
  /// Returns the session of a check; `nil` if the check was not created through a compatible API.
  func compatibilitySession(of id: CheckID) async throws -> CompatibilitySession?
}
