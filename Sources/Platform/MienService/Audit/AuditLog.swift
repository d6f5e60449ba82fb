/// The audit log of a space: entries chained by HMAC-SHA256 under a key of the seal, so that whoever can write to the
/// database and has not the seal cannot change, move or drop an entry without being found out.
///
/// Entries cut off at the end are found out by who kept the number and link of a later one.
public struct AuditLog: Sendable {
  /// What a look at the whole chain found.
  public enum Finding: Hashable, Sendable {
    /// Every link holds.
    case whole(count: Int64, head: String)
    /// The first entry whose link does not hold, or that is not where its number says.
    case broken(at: Int64)
    /// The entry that was kept elsewhere is not in the log.
    case missing(number: Int64)
  }

  /// Who does what is done with `mien`.
  public static let commandLine = "command-line"
  /// Who erases what has been kept long enough.
  static let retention = "retention"

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

  /// Adds an entry; it is durable when this returns. Ids of people, checks and what belongs to them become keyed digests.
  public func add(_ action: AuditAction, of subject: String, by actor: String) async throws {
    let entry = AuditEntry(
      at: clock.timeOfDay(), actor: pseudonym(of: actor), action: action, subject: pseudonym(of: subject))
    let keyring = keyring
    try await store.add(entry) { number, before in keyring.auditLink(Self.tied(entry, number, after: before)) }
  }

  /// Names whose ids stand in the log as digests: an erased person's or check's id is nowhere any more, and whoever knows it
  /// can still look for it.
  private static let digested: Set<Substring> = [
    "person", "check", "scan", "subject", "capture", "device", "message",
  ]

  /// `KIND/` and 32 digits of a keyed digest for an id of ``digested``; any other text as it is.
  private func pseudonym(of text: String) -> String {
    guard let kind = Self.kind(of: text) else { return text }
    return "\(kind)/\(keyring.auditPseudonyms(of: text)[0])"
  }

  private static func kind(of text: String) -> Substring? {
    guard let slash = text.firstIndex(of: "/"), digested.contains(text[..<slash]) else { return nil }
    return text[..<slash]
  }

  /// How a subject or an actor such as `person/ID` or `check/ID` stands in the log, under each key that the log was written with.
  public func names(of text: String) -> Set<String> {
    guard let kind = Self.kind(of: text) else { return [text] }
    return Set(keyring.auditPseudonyms(of: text).map { "\(kind)/\($0)" })
  }

  /// The entries about a subject such as `person/ID` or `check/ID`, or by one, in their order.
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

  /// Up to `limit` entries after the one of this number.
  public func records(after number: Int64, limit: Int) async throws -> [ChainedAuditEntry] {
    try await store.auditRecords(after: number, limit: limit)
  }

  /// The last entries, in their order.
  public func last(_ count: Int) async throws -> [ChainedAuditEntry] {
    try await store.auditRecords(after: max(0, try await store.auditCount() - Int64(count)), limit: count)
  }

  /// Looks whether every link holds.
  ///
  /// - Parameter kept: number and link of an entry that somebody noted before; it must still be there.
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

  /// Every part ends where it says: no two entries are the same bytes.
  private static func tied(_ entry: AuditEntry, _ number: Int64, after before: [UInt8]) -> [UInt8] {
    let parts = ["\(number)", "\(entry.at.milliseconds)", entry.actor, entry.action.rawValue, entry.subject]
    return before + Array(parts.joined(separator: "\n").utf8)
  }
}
