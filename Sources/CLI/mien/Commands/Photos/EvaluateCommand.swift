import ArgumentParser
import Foundation
import MienAuthenticity
import MienCodecs
import MienEvaluation
import MienFiles

/// `mien evaluate`: measures the error rates of the checks over a table of labeled images.
struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate", abstract: "Measure error rates on labeled images.",
    discussion: """
      MANIFEST is a table of tab-separated values with a header: path (relative to the manifest), label (starting with \
      genuine, bona, real, or live for bona fide presentations; anything else is an attack species), and optionally source. \
      A column named after a check (moire, texture, …, or aggregated) contains values to use instead of measuring. See \
      Documentation/reference/formats/EvaluationManifest.md. An image that cannot be read counts as not assessed. Exit \
      status: 0 success, 2 the table or all of its images cannot be read or a file cannot be written, 64 usage error.
      """)

  @Argument(help: "Table of labeled images (TSV).", completion: .file())
  var manifest: String
  @Option(help: "Write a report with plots to this file.", completion: .file())
  var html: String?
  @Flag(help: "Print JSON.")
  var json = false
  @Flag(help: "Use the first folder of each path as the source instead of the column.")
  var byFolder = false
  @Option(help: "Write the measurements of every image to this table, for training.", completion: .file())
  var measures: String?

  func run() async throws {
    try await Terminal.reporting { try await evaluate() }
  }

  private func evaluate() async throws {
    let names = Set(CheckName.allCases.map(\.rawValue) + ["aggregated"])
    let table: Manifest
    do {
      table = try Manifest(String(decoding: InputFile.bytes(manifest), as: UTF8.self), checks: names)
    } catch let fault as Manifest.FormatError {
      throw OperationError("\(manifest): \(fault).")
    }
    let folder = URL(fileURLWithPath: manifest).deletingLastPathComponent().path
    let paths = table.rows.map { folder + "/" + $0.path }
    // Measures given in the table are used instead of measuring again.
    let seen =
      table.given.isEmpty || measures != nil
      ? try await BatchAnalyzer(measures: measures != nil).read(paths) : []
    for (path, photo) in zip(paths, seen) {
      if let reason = photo.problem { Terminal.note("\(path): \(reason)") }
    }
    guard seen.isEmpty || seen.contains(where: { $0.problem == nil }) else {
      throw OperationError(
        "\(manifest): none of its \(seen.count) pictures can be read, so there is nothing to evaluate.")
    }
    if let measures { try writeMeasures(table, seen, to: measures) }
    let systems = table.given.isEmpty ? EvaluationTarget.all : table.given.compactMap(EvaluationTarget.init(named:))
    // Includes checks without any result: APNRR and BPNRR report this.
    let evaluations = systems.map { system -> Evaluation in
      let trials = table.rows.enumerated().map { index, row in
        let (measure, answer) =
          table.given.isEmpty ? system.answer(seen[index].results) : system.answer(given: row.measures[system.name])
        return Presentation(path: row.path, label: row.label, source: source(row), measure: measure, answer: answer)
      }
      return Evaluation(check: system.name, threshold: system.threshold, trials: trials)
    }
    if let html {
      let unreadable = seen.count { $0.problem != nil }
      var notes = ["\(table.rows.count) presentations."]
      if unreadable > 0 { notes.append("\(unreadable) could not be read and count as not assessed.") }
      let title = "Evaluation of \(URL(fileURLWithPath: manifest).lastPathComponent)"
      try write(HTMLReport.page(title: title, notes: notes, evaluations: evaluations), to: html)
    }
    if json {
      try Terminal.say(JSONText.make(evaluations))
    } else {
      for line in EvaluationFormatter.lines(evaluations) { try Terminal.say(line) }
    }
  }

  private func source(_ row: Manifest.Row) -> String {
    guard byFolder else { return row.source }
    let parts = row.path.split(separator: "/")
    return parts.count > 1 ? String(parts[0]) : row.source
  }

  private func writeMeasures(_ table: Manifest, _ seen: [BatchAnalyzer.Photo], to path: String) throws {
    var lines = [(["path", "label", "source", "tile"] + CaptureAnalyzer.measureNames).joined(separator: "\t")]
    for (row, photo) in zip(table.rows, seen) {
      guard let measured = photo.measures else { continue }
      let cells = [row.path, row.label, source(row), String(measured.tile)]
      lines.append((cells + measured.values.map { String($0) }).joined(separator: "\t"))
    }
    try write(lines.joined(separator: "\n") + "\n", to: path)
  }

  private func write(_ text: String, to path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
  }
}
