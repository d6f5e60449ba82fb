internal import Foundation
internal import MienPlatform

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
    else { preconditionFailure("the calendar gives what it is asked for") }
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return
      "\(days[weekday - 1]), \(two(day)) \(months[month - 1]) \(year) \(two(hour)):\(two(minute)):\(two(second)) GMT"
  }
}
