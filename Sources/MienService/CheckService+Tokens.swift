public import MienModel

/// Tokens of checks that open something else than the check's own steps.
extension CheckService {
  /// The check whose token this is, and whether it may still begin something; what it has begun it may end. nil for what is
  /// no token of a check that is kept here.
  public nonisolated func holder(of token: String) async throws -> (check: SessionID, isOpen: Bool)? {
    guard let claim = tokens.claim(in: token), let found = try await store.check(claim.check),
      found.record.token == SecretDigest(of: claim.secret)
    else { return nil }
    return (claim.check, clock.timeOfDay() < found.record.expires)
  }
}
