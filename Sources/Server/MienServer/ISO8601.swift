/// Timestamps in responses.
enum ISO8601 {
  /// Formats a time as RFC 3339 in UTC with milliseconds, such as `2026-11-22T14:32:03.007Z`.
  ///
  /// The date is computed by Howard Hinnant's `civil_from_days` ("chrono-Compatible Low-Level Date Algorithms", 2013),
  /// in the proleptic Gregorian calendar.
  ///
  /// - Parameter milliseconds: time since 1970-01-01T00:00:00Z, in the years 0 to 9999, the range of RFC 3339; times
  ///   outside are clamped
  ///   to it.
  static func rfc3339(milliseconds: Int64) -> String {
    let time = min(max(milliseconds, first), last)
    let day = time.flooredQuotient(by: 86_400_000)
    let rest = time - day * 86_400_000
    // Years begin in March, so that a leap day is the last day of its year; an era has 400 years.
    let shifted = day + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func add(_ number: Int64, digits: Int, then end: Unicode.Scalar) {
      var divisor: Int64 = 1
      for _ in 1..<digits { divisor *= 10 }
      while divisor > 0 {
        text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
        divisor /= 10
      }
      text.append(UInt8(ascii: end))
    }
    add(year, digits: 4, then: "-")
    add(month, digits: 2, then: "-")
    add(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, digits: 2, then: "T")
    add(rest / 3_600_000, digits: 2, then: ":")
    add(rest / 60_000 % 60, digits: 2, then: ":")
    add(rest / 1000 % 60, digits: 2, then: ".")
    add(rest % 1000, digits: 3, then: "Z")
    return String(decoding: text, as: UTF8.self)
  }

  private static let first: Int64 = -62_167_219_200_000
  private static let last: Int64 = 253_402_300_799_999
}

extension Int64 {
  /// Returns the quotient rounded toward negative infinity.
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
