public import MienCore

/// API keys of this space, for who administers them.
extension LivenessCheckService {
  /// The server's time of day, to tell which keys are good.
  public nonisolated var timeOfDay: UnixTime { clock.timeOfDay() }

  /// Counts what addresses ask, on this service's clock.
  public nonisolated func ipRateLimiter(perSecond: Int?, wrongKeysPerMinute: Int?) -> IPRateLimiter {
    IPRateLimiter(clock: clock, perSecond: perSecond, wrongKeysPerMinute: wrongKeysPerMinute)
  }

  /// All keys, oldest first.
  public func apiKeys() async throws -> [APIKeyRecord] { try await owner().list() }

  /// Makes a key, which is not kept.
  public func makeAPIKey(
    name: String?, scopes: Set<APIKeyScope>?, lifetime: Interval?, by actor: String
  ) async throws -> (key: String, record: APIKeyRecord) {
    let key = newKey()
    return (key, try await owner().add(key, name: name, scopes: scopes, lifetime: lifetime, by: actor))
  }

  /// Makes a successor of a key, which stays good for `overlap`.
  public func rotateAPIKey(
    _ id: String, overlap: Interval, by actor: String
  ) async throws -> (key: String, record: APIKeyRecord) {
    let key = newKey()
    return (key, try await owner().replace(id, by: key, overlap: overlap, actor: actor))
  }

  /// Refuses a key from now on.
  public func revokeAPIKey(_ id: String, by actor: String) async throws {
    try await owner().revoke(id, by: actor)
  }

  /// Keeps when keys were last shown. Call it every second or so.
  public func purgeKeys() async throws { try await desk?.expireAndPurge() }

  /// Forgets who was signed in and is not any more. Call it every second or so.
  public func purgeAccounts() async throws { try await accounts?.expireAndPurge() }

  private func newKey() -> String { APIKeyService.newKey(of: settings.space, using: &randomness) }

  private func owner() throws -> APIKeyService {
    guard let desk else { throw ServiceError(.notFound, "Keys are not kept through this server.") }
    return desk
  }
}
