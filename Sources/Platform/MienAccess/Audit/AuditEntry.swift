public import MienPlatform

/// An action recorded in the audit log.
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
  /// The server itself deleted data at the end of its retention period.
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

/// An entry of the audit log: actor, action and subject. Contains names only, never the data itself.
public struct AuditEntry: Hashable, Sendable {
  public let at: UnixTime
  /// `key_…`, `user/…`, `aws/…`, `check/…`, `receipt`, `anyone`, `retention` or `command-line`; 1 to 80 characters of
  /// `A–Z a–z 0–9 - _ . / :`.
  public let actor: String
  public let action: AuditAction
  /// For example `check/chk_…`; at most 160 of the same characters.
  public let subject: String

  /// Replaces characters that no name has with `?`, so that an entry is a single line wherever it is displayed.
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

/// An entry with its position in the audit log.
public struct ChainedAuditEntry: Hashable, Sendable {
  /// Sequence number, starting at 1.
  public let number: Int64
  public let entry: AuditEntry
  /// Link to the previous entry, 32 bytes.
  public let link: [UInt8]

  public init(number: Int64, entry: AuditEntry, link: [UInt8]) {
    self.number = number
    self.entry = entry
    self.link = link
  }

  /// The link in hexadecimal.
  public var linkText: String { Hexadecimal.encode(link) }
}

/// Stores the audit log, which is append-only.
public protocol AuditStore: Sendable {
  /// Appends an entry, in one transaction.
  ///
  /// - Parameter linking: makes the entry's link from its number and the previous link; before the first entry, that is
  ///   32 zero bytes.
  func add(_ entry: AuditEntry, linking: @escaping @Sendable (Int64, [UInt8]) -> [UInt8]) async throws
  /// Returns up to `limit` entries after the one with this number, in order.
  func auditRecords(after number: Int64, limit: Int) async throws -> [ChainedAuditEntry]
  /// Returns the number of entries.
  func auditCount() async throws -> Int64
}
