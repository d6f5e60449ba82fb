public import MienModel

/// API keys of this space, for who administers them.
extension CheckService {
  /// The server's time of day, to tell which keys are good.
  public nonisolated var timeOfDay: UnixTime { clock.timeOfDay() }

  /// Counts what addresses ask, on this service's clock.
  public nonisolated func addressDesk(perSecond: Int?, wrongKeysPerMinute: Int?) -> AddressDesk {
    AddressDesk(clock: clock, perSecond: perSecond, wrongKeysPerMinute: wrongKeysPerMinute)
  }

  /// All keys, oldest first.
  public func apiKeys() async throws -> [KeyRecord] { try await keeper().list() }

  /// Makes a key, which is not kept.
  public func makeAPIKey(
    name: String?, scopes: Set<KeyScope>?, lifetime: Interval?, by actor: String
  ) async throws -> (key: String, record: KeyRecord) {
    let key = newKey()
    return (key, try await keeper().add(key, name: name, scopes: scopes, lifetime: lifetime, by: actor))
  }

  /// Makes a successor of a key, which stays good for `overlap`.
  public func rotateAPIKey(
    _ id: String, overlap: Interval, by actor: String
  ) async throws -> (key: String, record: KeyRecord) {
    let key = newKey()
    return (key, try await keeper().replace(id, by: key, overlap: overlap, actor: actor))
  }

  /// Refuses a key from now on.
  public func revokeAPIKey(_ id: String, by actor: String) async throws {
    try await keeper().revoke(id, by: actor)
  }

  /// Keeps when keys were last shown. Call it every second or so.
  public func sweepKeys() async throws { try await desk?.sweep() }

  /// Forgets who was signed in and is not any more. Call it every second or so.
  public func sweepAccounts() async throws { try await accounts?.sweep() }

  private func newKey() -> String { KeyDesk.newKey(of: settings.space, using: &dice) }

  private func keeper() throws -> KeyDesk {
    guard let desk else { throw ServiceError(.notFound, "Keys are not kept through this server.") }
    return desk
  }
}
