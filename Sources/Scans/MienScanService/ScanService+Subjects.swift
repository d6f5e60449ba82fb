internal import MienCore
public import MienPlatform

/// Scan subjects and their due dates.
extension ScanService {
  private static var noSuchSubject: ServiceError {
    ServiceError(.notFound, "There is no such subject on this server, or it has been erased.")
  }

  public func createSubject(name: String, note: String?, due: String?) async throws -> ScanSubject {
    let subject = ScanSubject(
      id: ScanSubjectID(of: settings.realm, using: &randomness), name: name, note: note, due: due,
      created: clock.timeOfDay())
    try Self.check(subject)
    try await store.save(subject)
    return subject
  }

  private static func check(_ subject: ScanSubject) throws {
    guard (1...200).contains(subject.name.utf8.count) else {
      throw ServiceError(.badValue, "\"name\" must be 1 to 200 bytes long.")
    }
    guard subject.note.map({ $0.utf8.count <= 2000 }) != false else {
      throw ServiceError(.badValue, "\"note\" must be at most 2000 bytes long.")
    }
    try refuseZero(in: subject.name, "name")
    try refuseZero(in: subject.note, "note")
    guard subject.due.map({ UTCDate.milliseconds(of: $0) != nil }) != false else {
      throw ServiceError(.badValue, "\"due\" must be a day as YYYY-MM-DD.")
    }
  }

  public nonisolated func subject(_ text: String) async throws -> ScanSubject {
    guard let id = ScanSubjectID(text), let subject = try await store.scanSubject(id) else { throw Self.noSuchSubject }
    return subject
  }

  public nonisolated func subjects(_ query: ScanSubjectQuery) async throws -> ScanPage<ScanSubject> {
    try Self.refuseZero(in: query.text, "text")
    return try await store.scanSubjects(query)
  }

  /// Updates the given values; an empty note or due date removes it.
  public nonisolated func update(
    subject text: String, name: String?, note: String?, due: String?
  ) async throws -> ScanSubject {
    var subject = try await subject(text)
    if let name { subject.name = name }
    if let note { subject.note = note.isEmpty ? nil : note }
    if let due { subject.due = due.isEmpty ? nil : due }
    try Self.check(subject)
    guard try await store.update(subject) else { throw Self.noSuchSubject }
    return subject
  }

  /// Returns all scans of a subject.
  public nonisolated func scans(ofSubject text: String) async throws -> [ScanID] {
    try await store.scans(of: subject(text).id)
  }

  /// Deletes a subject after all its scans: as long as a file cannot be deleted, the subject still references it.
  ///
  /// - Returns: the number of deleted scans.
  public func delete(subject text: String) async throws -> Int {
    let subject = try await subject(text)
    var (count, failure): (Int, (any Error)?) = (0, nil)
    for id in try await store.scans(of: subject.id) {
      do {
        if try await delete(id) { count += 1 }
      } catch {
        failure = error  // a failed deletion does not block the others
      }
    }
    if let failure { throw failure }
    guard let deleted = try await store.deleteScanSubject(subject.id) else { throw Self.noSuchSubject }
    // Scans created in the meantime.
    try await remove(deleted)
    return count + deleted.scans
  }
}

/// A subject of scans: for example a patient or a workpiece.
public struct ScanSubject: Hashable, Sendable {
  public let id: ScanSubjectID
  public var name: String
  public var note: String?
  /// Due date of the next scan, as `YYYY-MM-DD`.
  public var due: String?
  public let created: UnixTime
  /// Number of scans; set by the store.
  public var scans: Int

  public init(id: ScanSubjectID, name: String, note: String?, due: String?, created: UnixTime, scans: Int = 0) {
    self.id = id
    self.name = name
    self.note = note
    self.due = due
    self.created = created
    self.scans = scans
  }
}

/// A calendar day in UTC.
public enum UTCDate {
  /// Returns the first and last millisecond of a day in the form `YYYY-MM-DD`; `nil` if there is no such day.
  public static func milliseconds(of text: String) -> ClosedRange<Int64>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.isASCIIDigit }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), (1970...9999).contains(year),
      let date = GregorianDate(year: year, month: month, day: day)
    else { return nil }
    let days = Int64(date.daysSince1970)
    return days * 86_400_000...days * 86_400_000 + 86_399_999
  }
}
