public import MienCore

/// What somebody may do who signs in.
public enum AccountRole: String, Hashable, Sendable, CaseIterable {
  /// Everything in a space, as a key without scopes.
  case `operator`
  /// Reads verdicts and results; changes nothing and sees no keys.
  case verifier
}

/// Who signs in: 1 to 64 characters of `a–z 0–9 - _ .`; capitals are the same as small letters.
public struct AccountName: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Refuses (nil) what is empty, too long or has another character.
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

/// Somebody who may sign in, as it is kept.
public struct Account: Hashable, Sendable {
  public let name: AccountName
  public let role: AccountRole
  public let password: PasswordHash
  public let created: UnixTime
  /// Since when the password is this one.
  public let changed: UnixTime

  public init(name: AccountName, role: AccountRole, password: PasswordHash, created: UnixTime, changed: UnixTime) {
    self.name = name
    self.role = role
    self.password = password
    self.created = created
    self.changed = changed
  }
}

/// Somebody's being signed in, as it is kept: of its secret only the digest.
public struct AccountSession: Hashable, Sendable {
  public let digest: SecretDigest
  public let account: AccountName
  public let created: UnixTime
  /// When it was last used, to about a minute.
  public var seen: UnixTime
  /// When it ends however much it is used.
  public let expires: UnixTime

  public init(digest: SecretDigest, account: AccountName, created: UnixTime, seen: UnixTime, expires: UnixTime) {
    self.digest = digest
    self.account = account
    self.created = created
    self.seen = seen
    self.expires = expires
  }
}

/// Keeps who may sign in and who is signed in.
public protocol AccountStore: Sendable {
  /// Keeps an account. Throws ``StoreError/Code/duplicate`` when the name is taken.
  func addAccount(_ account: Account) async throws
  /// The account of this name; nil when there is none.
  func account(_ name: AccountName) async throws -> Account?
  /// All accounts by their names.
  func accounts() async throws -> [Account]
  /// Changes a password and ends every session of the account, in one transaction; false when there is none.
  func changePassword(of name: AccountName, to password: PasswordHash, at time: UnixTime) async throws -> Bool
  /// Forgets an account with its sessions; false when there was none.
  func removeAccount(_ name: AccountName) async throws -> Bool
  /// Keeps a session, unless the account is gone or its password is not this one any more: then it throws
  /// ``StoreError/Code/missing``.
  func addSession(_ session: AccountSession, whileItsPasswordIs password: PasswordHash) async throws
  /// The session of this digest and its account; nil when there is none.
  func session(_ digest: SecretDigest) async throws -> (session: AccountSession, account: Account)?
  /// Notes that a session was used. No time goes back.
  func touchSession(_ digest: SecretDigest, at time: UnixTime) async throws
  /// Ends a session; false when there was none.
  func endSession(_ digest: SecretDigest) async throws -> Bool
  /// Forgets sessions that are over at `time` or were last used before `idle`; returns how many.
  func purgeSessions(expiredBy time: UnixTime, idleSince idle: UnixTime) async throws -> Int
  /// Takes a try out of a bucket. However many ask at the same time, on whichever server, each takes another.
  ///
  /// - Parameter time: now; a store that several servers share goes by its own clock, since theirs may differ.
  /// - Returns: nil when there was one; else nothing is changed, and how long to wait for one.
  func takeTry(of bucket: SignInRateLimit, at time: UnixTime) async throws -> Interval?
  /// Forgets the buckets that are full again, and those that would not be within `longest`: what wrote these was a clock that has
  /// been put back, and nobody shall be kept out for so long. Returns how many.
  func purgeAttempts(at time: UnixTime, longest: Interval) async throws -> Int
}
