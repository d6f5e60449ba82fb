internal import MienCore
internal import MienPlatform
internal import MienWebhooks

/// Parser for the `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date in the preferred format.
enum RetryAfter {
  /// Returns `nil` for other formats.
  static func read(_ text: String) -> WebhookRetryDelay? {
    guard text.utf8.count <= 32 else { return nil }
    if let seconds = UInt32(text) { return .interval(.seconds(Double(seconds))) }
    return date(text).map { .until($0) }
  }

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`; the weekday is ignored.
  private static func date(_ text: String) -> UnixTime? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
      let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]), (1970...9999).contains(year),
      let date = GregorianDate(year: year, month: month + 1, day: day)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard clock.count == 3, (0..<24).contains(clock[0]),
      (0..<60).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    let seconds = ((date.daysSince1970 * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
    return UnixTime(milliseconds: Int64(seconds) * 1000)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
