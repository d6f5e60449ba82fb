/// Access to one realm: its API keys, accounts and audit log.
public struct RealmAccess: Sendable {
  public let keys: APIKeyService
  public let accounts: AccountService
  /// Log of who read or deleted data.
  public let audit: AuditLog

  public init(keys: APIKeyService, accounts: AccountService, audit: AuditLog) {
    self.keys = keys
    self.accounts = accounts
    self.audit = audit
  }

  /// Throws unless the credential is a valid API key or belongs to a sign-in session.
  public func authorize(_ credential: String?) async throws {
    if let credential, AccountService.isSession(credential) {
      guard try await accounts.signedIn(credential) != nil else { throw APIKeyService.noKey }
    } else {
      try await keys.authorize(credential)
    }
  }
}
