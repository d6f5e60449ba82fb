/// What somebody did that the audit log remembers.
public enum AuditAction: String, Hashable, Sendable, CaseIterable {
  case viewedImages = "saw-pictures"
  case viewedClip = "saw-film"
  case viewedCapture = "saw-capture"
  case viewedScan = "saw-scan"
  case erasedCheck = "erased-check"
  case erasedPerson = "erased-person"
  case erasedCapture = "erased-capture"
  case erasedDevice = "erased-device"
  case erasedScan = "erased-scan"
  case erasedMessage = "erased-message"
  /// What had been kept for as long as the settings say was erased by the server itself.
  case erasedByAge = "erased-by-age"
  case madeKey = "made-key"
  case rotatedKey = "rotated-key"
  case revokedKey = "revoked-key"
  case rotatedSeal = "rotated-seal"
  case signedIn = "signed-in"
  case refusedSignIn = "refused-sign-in"
  case signedOut = "signed-out"
  case addedUser = "added-user"
  case changedPassword = "changed-password"
  case removedUser = "removed-user"
}

/// One line of the audit log: who did what to what. Names only, never what was seen.
public struct AuditEntry: Hashable, Sendable {
  public let at: UnixTime
  /// `key_…`, `user/…`, `aws/…`, `check/…`, `receipt`, `anyone`, `retention` or `command-line`; 1 to 80 characters of
  /// `A–Z a–z 0–9 - _ . / :`.
  public let actor: String
  public let action: AuditAction
  /// Such as `check/chk_…`; as long as 160 characters of the same.
  public let subject: String

  /// Characters that no name has become `?`, so that a line is one line wherever it is shown.
  public init(at: UnixTime, actor: String, action: AuditAction, subject: String) {
    self.at = at
    self.actor = actor.isEmpty ? "?" : Self.plain(actor, 80)
    self.action = action
    self.subject = Self.plain(subject, 160)
  }

  private static func plain(_ text: String, _ limit: Int) -> String {
    let bytes = text.utf8.prefix(limit).map { byte in
      let isPlain =
        (48...58).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || [45, 46, 47, 95].contains(byte)
      return isPlain ? byte : UInt8(ascii: "?")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// An entry in its place.
public struct ChainedAuditEntry: Hashable, Sendable {
  /// 1 for the first, and one more for each.
  public let number: Int64
  public let entry: AuditEntry
  /// What ties it to the entry before, 32 bytes.
  public let link: [UInt8]

  public init(number: Int64, entry: AuditEntry, link: [UInt8]) {
    self.number = number
    self.entry = entry
    self.link = link
  }

  /// The link as digits.
  public var linkText: String { Hexadecimal.encode(link) }
}

/// Keeps the audit log, which is only ever added to.
public protocol AuditStore: Sendable {
  /// Adds an entry behind the last one, in one transaction.
  ///
  /// - Parameter linking: makes the entry's link from its number and the link before; of the first, 32 zeros.
  func add(_ entry: AuditEntry, linking: @escaping @Sendable (Int64, [UInt8]) -> [UInt8]) async throws
  /// Up to `limit` entries after the one of this number, in their order.
  func auditRecords(after number: Int64, limit: Int) async throws -> [ChainedAuditEntry]
  /// How many entries there are.
  func auditCount() async throws -> Int64
}
