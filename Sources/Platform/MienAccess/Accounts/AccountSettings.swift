public import MienPlatform
public import MienCore

/// Operator settings for sign-in.
public struct AccountSettings: Sendable {
  /// Time after which an unused session ends.
  public var idle: Interval = .seconds(1800)
  /// Maximum lifetime of a session.
  public var lifetime: Interval = .seconds(12 * 3600)
  /// Maximum number of consecutive attempts per name; an empty bucket refills within ten minutes.
  public var triesPerName = 10
  /// Maximum number of consecutive attempts per IP address; an empty bucket refills within ten minutes.
  public var triesPerAddress = 20
  /// Cost of hashing new passwords.
  public var cost = ScryptParameters.standard

  public init() {}
}

/// The sign-in session of a request.
public struct AuthenticatedSession: Hashable, Sendable {
  public let name: AccountName
  public let role: AccountRole
  public let space: Realm
  /// Token that a state-changing request must send in addition to the cookie.
  public let csrfToken: String
  /// Time at which the session ends regardless of its use.
  public let expires: UnixTime

  /// Name of the account in the audit log.
  public var actor: String { "user/\(name)" }
}
