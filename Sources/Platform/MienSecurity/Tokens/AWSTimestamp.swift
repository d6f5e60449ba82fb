package import MienPlatform

/// The compact timestamps of Signature Version 4: `20260131T235959Z`.
package enum AWSTimestamp {
  /// Returns `nil` if the text is not a valid timestamp.
  package static func read(_ text: String) -> UnixTime? {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
      let year = number(bytes[0..<4]), let month = number(bytes[4..<6]), let day = number(bytes[6..<8]),
      let hour = number(bytes[9..<11]), let minute = number(bytes[11..<13]), let second = number(bytes[13..<15]),
      (1970...9999).contains(year), (1...12).contains(month), (1...length(of: month, in: year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    return UnixTime(milliseconds: Int64(seconds) * 1000)
  }

  /// - Parameter time: a time in the years 1970 to 9999; fractions of a second are truncated.
  package static func write(_ time: UnixTime) -> String {
    let seconds = Int(time.milliseconds / 1000)
    let (date, clock) = (date(seconds / 86_400), seconds % 86_400)
    return padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2) + "T" + padded(clock / 3600, 2)
      + padded(clock / 60 % 60, 2) + padded(clock % 60, 2) + "Z"
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static func length(of month: Int, in year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Returns the number of days from 1970-01-01 to a date in the Gregorian calendar. Years are counted from March, so
  /// that the leap day is the last day of a year.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let sinceMarch = (month + 9) % 12
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * sinceMarch + 2) / 5 + day - 1 - 719_468
  }

  /// Returns the date `days` days after 1970-01-01; the inverse of ``days(_:_:_:)``.
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    var year = 1970 + days / 366
    while self.days(year + 1, 1, 1) <= days { year += 1 }
    var month = 1
    while month < 12, self.days(year, month + 1, 1) <= days { month += 1 }
    return (year, month, days - self.days(year, month, 1) + 1)
  }
}
