public import MienPlatform
internal import MienSecurity
public import MienCore

/// Use of a check's token for other purposes than the check's own steps.
extension LivenessCheckService {
  /// Returns the check that a token belongs to, and whether the token may still start something new; work that it has
  /// started may be completed. Returns `nil` if the token belongs to no check stored here.
  public nonisolated func holder(of token: String) async throws -> (check: CheckRecord, isOpen: Bool)? {
    guard let claim = tokens.claim(in: token), let found = try await store.check(claim.check),
      found.record.token == SecretDigest(of: claim.secret)
    else { return nil }
    return (found.record, clock.timeOfDay() < found.record.expires)
  }

  /// Returns the token of a check to the holder of the token's secret, which is short enough for a QR code that a phone
  /// reads from a screen. The secret alone is as good as the token: the check stores its digest.
  ///
  /// - Throws: ``ServiceError`` with `unauthorized`, also if there is no such check.
  public func token(of id: CheckID, secret: String?) async throws -> (check: CheckRecord, token: String) {
    guard let secret, let found = try await store.check(id), found.record.token == SecretDigest(of: secret) else {
      throw Self.wrongToken
    }
    return (found.record, token(of: found.record, secret: secret))
  }

  /// Rejects a token that does not belong to this check, before any lookup and before a body is read, so that the
  /// existence of other checks is not revealed. The check's record determines whether it still accepts the token.
  ///
  /// - Returns: the digest of the token's secret, to compare with the check's.
  /// - Throws: ``ServiceError`` with `unauthorized`.
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
