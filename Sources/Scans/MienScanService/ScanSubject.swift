internal import MienCore
public import MienPlatform

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
    guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), (1970...9999).contains(year),
      let date = GregorianDate(year: year, month: month, day: day)
    else { return nil }
    let days = Int64(date.daysSince1970)
    return days * 86_400_000...days * 86_400_000 + 86_399_999
  }
}
