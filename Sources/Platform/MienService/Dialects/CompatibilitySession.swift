public import MienCore

/// What is kept of a session beside its check when a dialect of somebody else's API created it.
public struct CompatibilitySession: Hashable, Sendable {
  public enum CompatibleAPI: String, Hashable, Sendable, CaseIterable {
    /// Amazon Rekognition Face Liveness.
    case aws
  }

  public let dialect: CompatibleAPI
  /// The id of the access key that created it.
  public let owner: String
  /// The caller's own token, so that a repeated request makes no second session; unique for an owner while it lives.
  public let requestToken: String?
  /// SHA-256 of everything else the caller asked for: 32 bytes.
  public let parameters: [UInt8]
  /// How many audit pictures to keep, 0…4.
  public let auditImages: Int

  public init(dialect: CompatibleAPI, owner: String, requestToken: String?, parameters: [UInt8], auditImages: Int) {
    self.dialect = dialect
    self.owner = owner
    self.requestToken = requestToken
    self.parameters = parameters
    self.auditImages = auditImages
  }
}

/// Keeps the sessions of other dialects.
public protocol CompatibilitySessionStore: Sendable {
  /// Keeps a check together with its session, or finds the one that the same owner's request token made earlier and that
  /// has not expired when the new check is created.
  ///
  /// - Returns: nil when it was kept, otherwise the earlier session.
  /// - Throws: ``StoreError/Code/duplicate`` when the check's id is taken.
  func create(_ check: CheckRecord, _ session: CompatibilitySession) async throws -> (CheckID, CompatibilitySession)?
  /// The session of a check; nil when none of a dialect.
  func dialectSession(of id: CheckID) async throws -> CompatibilitySession?
}
