internal import MienCore
package import MienPlatform

/// The compact timestamps of Signature Version 4: `20260131T235959Z`.
package enum AWSTimestamp {
  /// Returns `nil` if the text is not a valid timestamp.
  package static func read(_ text: String) -> UnixTime? {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
      let year = number(bytes[0..<4]), let month = number(bytes[4..<6]), let day = number(bytes[6..<8]),
      let hour = number(bytes[9..<11]), let minute = number(bytes[11..<13]), let second = number(bytes[13..<15]),
      (1970...9999).contains(year), let date = GregorianDate(year: year, month: month, day: day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let seconds = ((date.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
    return UnixTime(milliseconds: Int64(seconds) * 1000)
  }

  /// - Parameter time: a time in the years 1970 to 9999; fractions of a second are truncated.
  package static func write(_ time: UnixTime) -> String {
    let seconds = Int(time.milliseconds / 1000)
    let (date, clock) = (GregorianDate(daysSince1970: seconds / 86_400), seconds % 86_400)
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
      guard digit.isASCIIDigit else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
