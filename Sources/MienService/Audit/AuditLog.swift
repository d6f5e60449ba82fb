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
  private let seal: Seal
  private let clock: any ServiceClock

  public init(store: any AuditStore, seal: Seal, clock: any ServiceClock) {
    self.store = store
    self.seal = seal
    self.clock = clock
  }

  /// Adds an entry; it is durable when this returns.
  public func add(_ action: AuditAction, of subject: String, by actor: String) async throws {
    let entry = AuditEntry(at: clock.timeOfDay(), actor: actor, action: action, subject: subject)
    let seal = seal
    try await store.add(entry) { number, before in seal.auditLink(Self.tied(entry, number, after: before)) }
  }

  /// Up to `limit` entries after the one of this number.
  public func records(after number: Int64, limit: Int) async throws -> [AuditRecord] {
    try await store.auditRecords(after: number, limit: limit)
  }

  /// The last entries, in their order.
  public func last(_ count: Int) async throws -> [AuditRecord] {
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
          seal.ties(record.link, Self.tied(record.entry, record.number, after: before), number: record.number)
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
