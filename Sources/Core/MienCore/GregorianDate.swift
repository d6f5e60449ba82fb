/// Date in the proleptic Gregorian calendar, from year 0 on.
package struct GregorianDate: Hashable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Returns `nil` if there is no such date.
  package init?(year: Int, month: Int, day: Int) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year >= 0, (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date `days` days after 1970-01-01, by Howard Hinnant's `civil_from_days` ("chrono-Compatible Low-Level
  /// Date Algorithms", 2013).
  package init(daysSince1970 days: Int) {
    // Years begin in March, so that a leap day is the last day of its year; an era has 400 years.
    let shifted = days + Self.daysFromYear0
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    let (yearFromMarch, monthFromMarch) = (month <= 2 ? year - 1 : year, (month + 9) % 12)
    // The days of a year before 0 are subtracted as a leap year's: January and February of year 0.
    let leapDays = yearFromMarch < 0 ? -1 : yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
    return 365 * yearFromMarch + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - Self.daysFromYear0
  }

  /// Number of days from March 1 of year 0 to 1970-01-01.
  private static let daysFromYear0 = 719_468
}
