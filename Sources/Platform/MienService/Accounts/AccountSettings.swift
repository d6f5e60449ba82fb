public import MienCore

/// What an operator can set about signing in.
public struct AccountSettings: Sendable {
  /// A session that is not used for so long is over.
  public var idle: Interval = .seconds(1800)
  /// A session is over after so long.
  public var lifetime: Interval = .seconds(12 * 3600)
  /// How many tries a name has at once; six come back in an hour for each.
  public var triesPerName = 10
  /// How many tries an address has at once; six come back in an hour for each.
  public var triesPerAddress = 20
  /// How slow new passwords are made to guess.
  public var cost = ScryptParameters.standard

  public init() {}
}

/// Who is signed in, for one request.
public struct AuthenticatedSession: Hashable, Sendable {
  public let name: AccountName
  public let role: AccountRole
  public let space: Realm
  /// What a request that changes something must bring beside the cookie.
  public let csrfToken: String
  /// When it ends however much it is used.
  public let expires: UnixTime

  /// As the audit log names them.
  public var actor: String { "user/\(name)" }
}
