internal import ArgumentParser
internal import MienCaptures
internal import MienCore
internal import MienMessageService
internal import MienRuntime
internal import MienScanService

/// Limits of `mien serve` for messages, captures and scans, and how long captures and scans are kept.
struct ServiceLimitOptions: ParsableArguments {
  @Option(
    help: """
      Messages one address may lock, and images it may send to read an ID, per hour without an API key; it may read
      twenty times as many. 0: unlimited.
      """)
  var messageLimit = 1800
  @Option(
    help: """
      Captures one address may send, and files it may verify, per hour without an API key. 0: \
      unlimited.
      """)
  var captureLimit = 1800
  @Option(help: "Days to keep captures and their files; 0: until they are deleted.")
  var captureDays = 90
  @Option(help: "Maximum size of a depth scan, all files together, in megabytes.")
  var scanMegabytes = 2048
  @Option(help: "Maximum size of a depth scan sent with a check's token, all files together, in megabytes.")
  var checkScanMegabytes = 200
  @Option(help: "Days to keep depth scans and their files; 0: until they are deleted.")
  var scanDays = 0

  func validate() throws {
    guard (0...1_000_000).contains(messageLimit) else { throw ValidationError("--message-limit must be 0 to 1000000.") }
    guard (0...1_000_000).contains(captureLimit) else { throw ValidationError("--capture-limit must be 0 to 1000000.") }
    guard (0...36_500).contains(captureDays) else { throw ValidationError("--capture-days must be 0 to 36500.") }
    guard (1...1_000_000).contains(scanMegabytes) else {
      throw ValidationError("--scan-megabytes must be 1 to 1000000.")
    }
    guard (1...1_000_000).contains(checkScanMegabytes) else {
      throw ValidationError("--check-scan-megabytes must be 1 to 1000000.")
    }
    guard (0...36_500).contains(scanDays) else { throw ValidationError("--scan-days must be 0 to 36500.") }
  }

  func apply(to settings: inout RuntimeSettings) {
    settings.messages.locksPerHour = messageLimit
    settings.captures.capturesPerHour = captureLimit
    settings.captures.lifetime = Interval.days(captureDays)
    settings.scans.maximumBytes = scanMegabytes << 20
    settings.scans.maximumCheckBytes = checkScanMegabytes << 20
    settings.scans.lifetime = Interval.days(scanDays)
  }
}

extension Interval {
  /// Converts a number of days to a lifetime; 0 is none.
  static func days(_ days: Int) -> Interval? { days == 0 ? nil : .seconds(Double(days) * 86_400) }
}
