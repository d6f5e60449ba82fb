public import MienCore
public import MienPlatform

/// Permissions of an account.
public enum AccountRole: String, Hashable, Sendable, CaseIterable {
  /// Everything in a realm, like an API key without scopes.
  case `operator`
  /// Reads verdicts and results; cannot change anything or see keys.
  case verifier
}

/// The name of an account: 1 to 64 characters of `a–z 0–9 - _ .`; not case-sensitive.
public struct AccountName: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is empty, too long or contains another character.
  public init?(_ text: String) {
    guard (1...64).contains(text.utf8.count) else { return nil }
    let small = text.lowercased()
    let isPlain = small.utf8.allSatisfy { byte in
      (97...122).contains(byte) || (48...57).contains(byte) || [45, 46, 95].contains(byte)
    }
    guard isPlain else { return nil }
    self.text = small
  }

  public var description: String { text }
}

/// An account, as stored.
public struct Account: Hashable, Sendable {
  public let name: AccountName
  public let role: AccountRole
  public let password: PasswordHash
  public let created: UnixTime
  /// Time of the last password change.
  public let changed: UnixTime

  public init(name: AccountName, role: AccountRole, password: PasswordHash, created: UnixTime, changed: UnixTime) {
    self.name = name
    self.role = role
    self.password = password
    self.created = created
    self.changed = changed
  }
}

/// A sign-in session, as stored: only the digest of its secret is stored.
public struct AccountSession: Hashable, Sendable {
  public let digest: SecretDigest
  public let account: AccountName
  public let created: UnixTime
  /// Time of the last use, to about a minute.
  public var seen: UnixTime
  /// Time at which the session ends regardless of its use.
  public let expires: UnixTime

  public init(digest: SecretDigest, account: AccountName, created: UnixTime, seen: UnixTime, expires: UnixTime) {
    self.digest = digest
    self.account = account
    self.created = created
    self.seen = seen
    self.expires = expires
  }
}

/// Stores accounts and sign-in sessions.
public protocol AccountStore: Sendable {
  /// Stores an account. Throws ``StoreError/Code/duplicate`` if the name is taken.
  func addAccount(_ account: Account) async throws
  /// Returns the account with this name; `nil` if there is none.
  func account(_ name: AccountName) async throws -> Account?
  /// Returns all accounts, sorted by name.
  func accounts() async throws -> [Account]
  /// Changes a password and ends every session of the account, in one transaction; returns `false` if there is no such
  /// account.
  func changePassword(of name: AccountName, to password: PasswordHash, at time: UnixTime) async throws -> Bool
  /// Deletes an account with its sessions; returns `false` if there was none.
  func removeAccount(_ name: AccountName) async throws -> Bool
  /// Stores a session. Throws ``StoreError/Code/missing`` if the account was deleted or its password was changed.
  func addSession(_ session: AccountSession, whileItsPasswordIs password: PasswordHash) async throws
  /// Returns the session with this digest and its account; `nil` if there is none.
  func session(_ digest: SecretDigest) async throws -> (session: AccountSession, account: Account)?
  /// Records that a session was used. The stored time never decreases.
  func touchSession(_ digest: SecretDigest, at time: UnixTime) async throws
  /// Ends a session; returns `false` if there was none.
  func endSession(_ digest: SecretDigest) async throws -> Bool
  /// Deletes sessions that have expired at `time` or were last used before `idle`; returns how many.
  func purgeSessions(expiredBy time: UnixTime, idleSince idle: UnixTime) async throws -> Int
  /// Takes an attempt from a bucket. Concurrent calls, on any server, never take the same attempt.
  ///
  /// - Parameter time: the current time; a store that several servers share uses its own clock, since theirs may
  ///   differ.
  /// - Returns: `nil` if an attempt was available; otherwise nothing changes, and the result is the time until there is
  ///   one.
  func takeTry(of bucket: SignInRateLimit, at time: UnixTime) async throws -> Interval?
  /// Deletes the buckets that are full again, and those that would not be full within `longest`: these were written
  /// while a clock was ahead, and must not block sign-ins for so long. Returns how many.
  func purgeAttempts(at time: UnixTime, longest: Interval) async throws -> Int
}

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
  public var cost = ScryptParameters.password

  public init() {}
}

/// The sign-in session of a request.
public struct AuthenticatedSession: Hashable, Sendable {
  public let name: AccountName
  public let role: AccountRole
  public let realm: Realm
  /// Token that a state-changing request must send in addition to the cookie.
  public let csrfToken: String
  /// Time at which the session ends regardless of its use.
  public let expires: UnixTime

  /// Name of the account in the audit log.
  public var actor: String { AuditActorKind.user.actor(name.text) }
}
