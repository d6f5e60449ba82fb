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
      let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]), (1970...9999).contains(year),
      (1...12).contains(month)
    else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[Int(month) - 1]).contains(day) else { return nil }
    let before = year - 1
    let years = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
    let days = years + lengths.prefix(Int(month) - 1).reduce(0, +) + day - 1
    return days * 86_400_000...days * 86_400_000 + 86_399_999
  }
}
