public import MienCore

/// Tokens of checks that open something else than the check's own steps.
extension LivenessCheckService {
  /// The check whose token this is, and whether it may still begin something; what it has begun it may end. nil for what is
  /// no token of a check that is kept here.
  public nonisolated func holder(of token: String) async throws -> (check: CheckRecord, isOpen: Bool)? {
    guard let claim = tokens.claim(in: token), let found = try await store.check(claim.check),
      found.record.token == SecretDigest(of: claim.secret)
    else { return nil }
    return (found.record, clock.timeOfDay() < found.record.expires)
  }

  /// Refuses what is no token of this check, before anything is looked up and before a body is read: whether another check
  /// exists is nobody's business. Whether the check still takes it, its own record says.
  ///
  /// - Returns: the digest of the token's secret, to hold against the check's.
  /// - Throws: ``ServiceError`` with `unauthorised`.
  @discardableResult
  public nonisolated func expectToken(_ token: String?, of id: CheckID) throws -> SecretDigest {
    guard let token else {
      throw ServiceError(.unauthorized, "This needs the check's token: send it as \"Authorization: Bearer …\".")
    }
    guard let secret = tokens.secret(of: token, for: id) else { throw Self.wrongToken }
    return SecretDigest(of: secret)
  }

  static var wrongToken: ServiceError {
    ServiceError(.unauthorized, "The token does not belong to this check.")
  }
}
