internal import MienAccess
internal import MienChecks
internal import MienCore
internal import MienPlatform

/// The check whose token a request carries.
struct CheckTokenHolder: Sendable {
  let realm: Realm
  let check: CheckRecord
  /// `true` until the token expires.
  let isOpen: Bool
}

extension RouteCall {
  /// Returns the check whose token is in the request; `nil` for requests with an API key, a session or no credential.
  ///
  /// - Throws: ``ServiceError`` with `unauthorized` for any other credential.
  func checkTokenHolder(in realms: Realms) async throws -> CheckTokenHolder? {
    guard !isAuthenticated, let secret = bearer else { return nil }
    guard secret.contains(".") else {
      try await realms.live.access.authorize(secret)
      return nil
    }
    // Each realm signs its tokens with its own key.
    for realm in Realm.allCases {
      guard let holder = try await realms[realm].checks.holder(of: secret) else { continue }
      return CheckTokenHolder(realm: realm, check: holder.check, isOpen: holder.isOpen)
    }
    throw ServiceError(
      .unauthorized, "This needs an API key or the token of a check: send it as \"Authorization: Bearer …\".")
  }
}
