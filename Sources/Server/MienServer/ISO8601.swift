internal import Foundation
internal import MienCore
internal import MienPlatform

/// Timestamps in responses.
package enum ISO8601 {
  /// Formats a time as RFC 3339 in UTC with milliseconds, such as `2026-11-22T14:32:03.007Z`.
  ///
  /// - Parameter milliseconds: time since 1970-01-01T00:00:00Z, in the years 0 to 9999, the range of RFC 3339; times
  ///   outside are clamped to it.
  package static func rfc3339(milliseconds: Int64) -> String {
    let time = Int(min(max(milliseconds, Int64(first)), Int64(last)))
    let date = GregorianDate(daysSince1970: (time - first) / 86_400_000 + first / 86_400_000)
    let rest = (time - first) % 86_400_000
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func add(_ number: Int, digits: Int, then end: Unicode.Scalar) {
      var divisor = 1
      for _ in 1..<digits { divisor *= 10 }
      while divisor > 0 {
        text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
        divisor /= 10
      }
      text.append(UInt8(ascii: end))
    }
    add(date.year, digits: 4, then: "-")
    add(date.month, digits: 2, then: "-")
    add(date.day, digits: 2, then: "T")
    add(rest / 3_600_000, digits: 2, then: ":")
    add(rest / 60_000 % 60, digits: 2, then: ":")
    add(rest / 1000 % 60, digits: 2, then: ".")
    add(rest % 1000, digits: 3, then: "Z")
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses a time with a date, a time of day and an offset, with or without fractions of a second; returns milliseconds
  /// since 1970-01-01T00:00:00Z, or `nil` for other texts.
  static func milliseconds(of text: String) -> Int64? {
    let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
    return styles.lazy.compactMap { try? $0.parse(text) }.first
      .map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }

  /// The start of year 0.
  private static let first = -62_167_219_200_000
  private static let last = 253_402_300_799_999
}

/// Dates in HTTP headers, in the preferred format (RFC 9110, section 5.6.7).
enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Formats a time as `Sun, 06 Nov 1994 08:49:37 GMT`; fractions of a second are truncated.
  static func text(_ time: UnixTime) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = Date(timeIntervalSince1970: (Double(time.milliseconds) / 1000).rounded(.down))
    let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
    guard let weekday = parts.weekday, let day = parts.day, let month = parts.month, let year = parts.year,
      let hour = parts.hour, let minute = parts.minute, let second = parts.second
    else { preconditionFailure("the calendar returns the requested components") }
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return
      "\(days[weekday - 1]), \(two(day)) \(months[month - 1]) \(year) \(two(hour)):\(two(minute)):\(two(second)) GMT"
  }
}
