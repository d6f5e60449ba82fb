import ArgumentParser
import MienFiles
import MienRuntime
import MienPlatform

/// `mien retention`: previews the deletions of a server's retention rules.
struct RetentionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention", abstract: "Count what a server's retention periods would delete, without deleting it.",
    discussion: """
      Pass the same retention periods as to mien serve. Can run while the server is running. GET /v1/retention and the \
      audit log report what the server has deleted.
      """)

  @Option(help: "Days to keep results; 0: forever.")
  var resultDays = 90
  @Option(help: "Days to keep captures; 0: forever.")
  var captureDays = 90
  @Option(help: "Days to keep depth scans; 0: forever.")
  var scanDays = 0
  @Option(help: "Days to look ahead.")
  var ahead = 7
  @Flag(help: "Use the sandbox instead of the live realm.")
  var sandbox = false
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print as JSON.")
  var json = false

  func validate() throws {
    for (name, days) in [("result", resultDays), ("capture", captureDays), ("scan", scanDays)] {
      guard (0...36_500).contains(days) else { throw ValidationError("--\(name)-days must be 0 to 36500.") }
    }
    guard (0...3650).contains(ahead) else { throw ValidationError("--ahead must be 0 to 3650.") }
  }

  func run() async throws {
    try await Terminal.reporting {
      let lines = try await RetentionPreview.make(
        of: store.location, sandbox ? .sandbox : .live,
        periods: [(.checks, resultDays), (.captures, captureDays), (.scans, scanDays)], ahead: ahead)
      try Terminal.say(json ? JSONText.make(lines) : words(lines))
    }
  }

  private func words(_ lines: [RetentionPreview]) -> String {
    let rows =
      [["", "stay", "there are", "the oldest of", "due now", "in \(ahead) days"]]
      + lines.map { line in
        [
          line.kind, line.days == 0 ? "for good" : "\(line.days) days", "\(line.kept)", line.oldest ?? "–",
          "\(line.due)",
          "\(line.dueAhead)",
        ]
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      // The last column is not padded.
      let padded = zip(row, widths).map { word, width in word + String(repeating: " ", count: width - word.count) }
      return (padded.dropLast() + row.suffix(1)).joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
