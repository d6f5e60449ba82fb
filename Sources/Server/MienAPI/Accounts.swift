/// Body of `POST /v1/sign-in`.
public struct SignInRequest: Codable, Hashable, Sendable {
  public var name: String
  public var password: String
  /// `true` to sign in to the sandbox.
  public var sandbox: Bool

  public enum CodingKeys: String, CodingKey, CaseIterable { case name, password, sandbox }

  public init(name: String, password: String, sandbox: Bool = false) {
    self.name = name
    self.password = password
    self.sandbox = sandbox
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    name = try box.decode(String.self, forKey: .name)
    password = try box.decode(String.self, forKey: .password)
    sandbox = try box.decodeIfPresent(Bool.self, forKey: .sandbox) ?? false
  }
}

/// The signed-in user.
public struct AccountResponse: Codable, Hashable, Sendable {
  public var name: String
  /// `operator` or `verifier`.
  public var role: String
  /// `live` or `sandbox`.
  public var realm: String
  /// Absolute expiration time of the session, independent of activity.
  public var expiresAt: String
  /// Token that requests with side effects must send as `X-CSRF-Token` beside the cookie.
  public var csrfToken: String

  public enum CodingKeys: String, CodingKey {
    case name, role, realm
    case expiresAt = "expires_at"
    case csrfToken = "csrf_token"
  }

  public init(name: String, role: String, realm: String, expiresAt: String, csrfToken: String) {
    self.name = name
    self.role = role
    self.realm = realm
    self.expiresAt = expiresAt
    self.csrfToken = csrfToken
  }
}

/// Sign-in state of the current client.
public struct CurrentAccountResponse: Codable, Hashable, Sendable {
  /// The signed-in user, or `nil` if there is none.
  public var account: AccountResponse?
  /// `true` if at least one user account exists.
  public var canSignIn: Bool

  public enum CodingKeys: String, CodingKey {
    case account
    case canSignIn = "can_sign_in"
  }

  public init(account: AccountResponse?, canSignIn: Bool) {
    self.account = account
    self.canSignIn = canSignIn
  }
}
