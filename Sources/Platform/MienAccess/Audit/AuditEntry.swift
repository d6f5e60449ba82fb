internal import MienCore
public import MienPlatform

/// An action recorded in the audit log.
public enum AuditAction: String, Hashable, Sendable, CaseIterable {
  case viewedImages = "viewed-images"
  case viewedClip = "viewed-clip"
  case viewedCapture = "viewed-capture"
  case viewedScan = "viewed-scan"
  case deletedCheck = "deleted-check"
  case deletedPerson = "deleted-person"
  case enrolledTemplate = "enrolled-template"
  case deletedTemplate = "deleted-template"
  case deletedCapture = "deleted-capture"
  case deletedDevice = "deleted-device"
  case deletedScan = "deleted-scan"
  case deletedMessage = "deleted-message"
  /// The server itself deleted data at the end of its retention period.
  case deletedExpiredData = "deleted-expired-data"
  case createdKey = "created-key"
  case rotatedKey = "rotated-key"
  case revokedKey = "revoked-key"
  case rotatedMasterKey = "rotated-master-key"
  case signedIn = "signed-in"
  case failedSignIn = "failed-sign-in"
  case signedOut = "signed-out"
  case createdUser = "created-user"
  case changedPassword = "changed-password"
  case deletedUser = "deleted-user"
}

/// An entry of the audit log: actor, action and subject. Contains names only, never the data itself.
public struct AuditEntry: Hashable, Sendable {
  public let at: UnixTime
  /// `key_…`, `user/…`, `aws/…`, `check/…`, `receipt`, `anyone`, `retention` or `command-line` (``AuditActorKind``); 1 to
  /// 80 characters of `A–Z a–z 0–9 - _ . / :`.
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

/// Kind of an actor in the audit log. The console has a text for each.
public enum AuditActorKind: String, Hashable, Sendable, CaseIterable {
  /// An API key; its name is its ID, `key_…`.
  case key
  case user
  /// An access key of the AWS-compatible API.
  case aws
  /// Holder of a check's token.
  case check
  /// Holder of a receipt.
  case receipt
  /// A client without a credential.
  case anyone
  /// The server at the end of a retention period.
  case retention
  /// A command of `mien`.
  case commandLine = "command-line"

  /// Returns the name of an actor: of this kind alone, or of one with an ID.
  public func actor(_ id: String? = nil) -> String {
    guard let id else { return rawValue }
    return self == .key ? id : "\(rawValue)/\(id)"
  }
}
