/// The body of `POST /v1/sign-in`.
public struct SignInRequest: Codable, Hashable, Sendable {
  public var name: String
  public var password: String
  /// True for the sandbox's users.
  public var sandbox: Bool

  public enum CodingKeys: String, CodingKey, CaseIterable { case name, password, sandbox }

  public init(name: String, password: String, sandbox: Bool = false) {
    self.name = name
    self.password = password
    self.sandbox = sandbox
  }

  /// - Throws: ``UnknownKeyError`` for a key that is not in the document; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    name = try box.decode(String.self, forKey: .name)
    password = try box.decode(String.self, forKey: .password)
    sandbox = try box.decodeIfPresent(Bool.self, forKey: .sandbox) ?? false
  }
}

/// Who is signed in.
public struct AccountResponse: Codable, Hashable, Sendable {
  public var name: String
  /// `operator` or `verifier`.
  public var role: String
  /// `live` or `sandbox`.
  public var space: String
  /// When the session ends however much it is used.
  public var expiresAt: String
  /// What a request that changes something must bring as `X-CSRF-Token` beside the cookie.
  public var csrfToken: String

  public enum CodingKeys: String, CodingKey {
    case name, role, space
    case expiresAt = "expires_at"
    case csrfToken = "csrf_token"
  }

  public init(name: String, role: String, space: String, expiresAt: String, csrfToken: String) {
    self.name = name
    self.role = role
    self.space = space
    self.expiresAt = expiresAt
    self.csrfToken = csrfToken
  }
}

/// The answer to the question who is signed in.
public struct CurrentAccountResponse: Codable, Hashable, Sendable {
  /// nil when nobody is.
  public var account: AccountResponse?
  /// True when there is somebody who could sign in.
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
