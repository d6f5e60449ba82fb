internal import MienCore
public import MienPlatform
public import MienSecurity

/// The audit log of a realm: entries chained by HMAC-SHA256 under a key derived from the master key, so that someone
/// who can write to the database but does not have the master key cannot change, move or delete an entry undetected.
///
/// Truncation at the end is detected with the number and link of a later entry that was noted elsewhere.
public struct AuditLog: Sendable {
  /// The result of verifying the whole chain.
  public enum Finding: Hashable, Sendable {
    /// Every link is valid.
    case whole(count: Int64, head: String)
    /// The first entry whose link is invalid or whose number is out of sequence.
    case broken(at: Int64)
    /// The entry that was noted elsewhere is not in the log.
    case missing(number: Int64)
  }

  /// Actor of everything that is done with the `mien` command.
  public static let commandLine = AuditActorKind.commandLine.actor()
  /// Actor of deletions at the end of a retention period.
  package static let retention = AuditActorKind.retention.actor()

  private static let origin = [UInt8](repeating: 0, count: 32)
  private static let page = 1000

  private let store: any AuditStore
  private let keyring: MasterKeyring
  private let clock: any ServiceClock

  public init(store: any AuditStore, keyring: MasterKeyring, clock: any ServiceClock) {
    self.store = store
    self.keyring = keyring
    self.clock = clock
  }

  /// Appends an entry; it is durable when this returns. IDs of people, checks and their data are replaced by keyed
  /// digests.
  public func add(_ action: AuditAction, of subject: String, by actor: String) async throws {
    let entry = AuditEntry(
      at: clock.timeOfDay(), actor: pseudonym(of: actor), action: action, subject: pseudonym(of: subject))
    let keyring = keyring
    try await store.add(entry) { number, before in keyring.auditLink(Self.tied(entry, number, after: before)) }
  }

  /// Kinds whose IDs are logged as digests: the ID of a deleted person or check is not stored anywhere anymore, and
  /// anyone who knows it can still search for it.
  private static let digested: Set<Substring> = [
    "person", "check", "scan", "subject", "capture", "device", "message",
  ]

  /// Returns `KIND/` and 32 digits of a keyed digest for an ID of a kind in ``digested``; any other text unchanged.
  private func pseudonym(of text: String) -> String {
    guard let kind = Self.kind(of: text) else { return text }
    return "\(kind)/\(keyring.auditPseudonyms(of: text)[0])"
  }

  private static func kind(of text: String) -> Substring? {
    guard let slash = text.firstIndex(of: "/"), digested.contains(text[..<slash]) else { return nil }
    return text[..<slash]
  }

  /// Returns the texts that stand for a subject or an actor such as `person/ID` or `check/ID`, one for each key that
  /// the log was written with.
  public func names(of text: String) -> Set<String> {
    guard let kind = Self.kind(of: text) else { return [text] }
    return Set(keyring.auditPseudonyms(of: text).map { "\(kind)/\($0)" })
  }

  /// Returns the entries about or by a subject such as `person/ID` or `check/ID`, in order.
  public func records(about text: String) async throws -> [ChainedAuditEntry] {
    let names = names(of: text)
    var (found, number): ([ChainedAuditEntry], Int64) = ([], 0)
    while true {
      let records = try await store.auditRecords(after: number, limit: Self.page)
      found += records.filter { names.contains($0.entry.subject) || names.contains($0.entry.actor) }
      guard records.count == Self.page, let last = records.last else { return found }
      number = last.number
    }
  }

  /// Returns up to `limit` entries after the one with this number.
  public func records(after number: Int64, limit: Int) async throws -> [ChainedAuditEntry] {
    try await store.auditRecords(after: number, limit: limit)
  }

  /// Returns the last entries, in order.
  public func last(_ count: Int) async throws -> [ChainedAuditEntry] {
    try await store.auditRecords(after: max(0, try await store.auditCount() - Int64(count)), limit: count)
  }

  /// Verifies every link.
  ///
  /// - Parameter kept: number and link of an entry noted earlier, which must still be in the log.
  public func verify(keeping kept: (number: Int64, link: String)? = nil) async throws -> Finding {
    var (number, before) = (Int64(0), Self.origin)
    var isKept = kept == nil
    while true {
      let records = try await store.auditRecords(after: number, limit: Self.page)
      for record in records {
        guard record.number == number + 1,
          keyring.ties(record.link, Self.tied(record.entry, record.number, after: before), number: record.number)
        else { return .broken(at: number + 1) }
        (number, before) = (record.number, record.link)
        if number == kept?.number { isKept = record.linkText == kept?.link }
      }
      if records.count < Self.page { break }
    }
    guard isKept else { return .missing(number: kept?.number ?? number) }
    return .whole(count: number, head: Hexadecimal.encode(before))
  }

  /// Returns the bytes that a link authenticates. Every part is delimited: no two entries have the same bytes.
  private static func tied(_ entry: AuditEntry, _ number: Int64, after before: [UInt8]) -> [UInt8] {
    let parts = ["\(number)", "\(entry.at.milliseconds)", entry.actor, entry.action.rawValue, entry.subject]
    return before + Array(parts.joined(separator: "\n").utf8)
  }
}
