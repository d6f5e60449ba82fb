public import MienAccess
public import MienPlatform
public import MienCore

/// API keys of this realm, for its administrators.
extension LivenessCheckService {
  /// The server's time of day, which determines which keys are valid.
  public nonisolated var timeOfDay: UnixTime { clock.timeOfDay() }

  /// Creates a rate limiter for IP addresses that uses this service's clock.
  public nonisolated func ipRateLimiter(perSecond: Int?, wrongKeysPerMinute: Int?) -> IPRateLimiter {
    IPRateLimiter(clock: clock, perSecond: perSecond, wrongKeysPerMinute: wrongKeysPerMinute)
  }

  /// Returns all keys, oldest first.
  public func apiKeys() async throws -> [APIKeyRecord] { try await owner().list() }

  /// Creates a key; only its digest is stored.
  public func makeAPIKey(
    name: String?, scopes: Set<APIKeyScope>?, lifetime: Interval?, by actor: String
  ) async throws -> (key: String, record: APIKeyRecord) {
    let key = newKey()
    return (key, try await owner().add(key, name: name, scopes: scopes, lifetime: lifetime, by: actor))
  }

  /// Creates the successor of a key; the old key stays valid for `overlap`.
  public func rotateAPIKey(
    _ id: String, overlap: Interval, by actor: String
  ) async throws -> (key: String, record: APIKeyRecord) {
    let key = newKey()
    return (key, try await owner().replace(id, by: key, overlap: overlap, actor: actor))
  }

  /// Revokes a key immediately.
  public func revokeAPIKey(_ id: String, by actor: String) async throws {
    try await owner().revoke(id, by: actor)
  }

  /// Saves the times at which keys were last used. Call it about once per second.
  public func purgeKeys() async throws { try await apiKeys?.expireAndPurge() }

  /// Deletes ended sign-in sessions. Call it about once per second.
  public func purgeAccounts() async throws { try await accounts?.expireAndPurge() }

  private func newKey() -> String { APIKeyService.newKey(of: settings.space, using: &randomness) }

  private func owner() throws -> APIKeyService {
    guard let apiKeys else { throw ServiceError(.notFound, "Keys are not kept through this server.") }
    return apiKeys
  }
}
