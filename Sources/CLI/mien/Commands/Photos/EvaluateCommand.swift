import ArgumentParser
import Foundation
import MienEvaluation
import MienFaceMatch
import MienFileAnalysis
import MienFiles
import MienRuntime
import MienTracking

/// `mien evaluate`: measures the error rates of the checks over a table of labeled images.
struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate", abstract: "Measure error rates on labeled images, or of face match.",
    discussion: """
      MANIFEST is a table of tab-separated values with a header: path (relative to the manifest), label (starting with \
      genuine, bona, real, or live for bona fide presentations; anything else is an attack species), and optionally source. \
      A column named after a check (moire, texture, …, or aggregated) contains values to use instead of measuring. See \
      Documentation/reference/formats/EvaluationManifest.md. An image that cannot be read counts as not assessed.
      With --match, MANIFEST is a table of known people's faces, and face match is evaluated: false match and false \
      non-match rates over thresholds, and with liveness results and attacks IAPAR and RIAPAR. It has the columns id, \
      person, clip and template (128 numbers), so that no picture is read, or path and person, from which templates \
      are made.
      Exit status: 0 success, 2 the table or all of its images cannot be read or a file cannot be written, 64 usage error.
      """)

  @Argument(help: "Table of labeled images (TSV).", completion: .file())
  var manifest: String
  @Option(help: "Write a report with plots to this file.", completion: .file())
  var html: String?
  @Flag(help: "Print JSON.")
  var json = false
  @Flag(help: "Use the first folder of each path as the source instead of the column.")
  var byFolder = false
  @Flag(help: "Measure the checks that MANIFEST gives no values of, and weigh all of them together.")
  var complete = false
  @Option(help: "Write the measurements of every image to this table, for training.", completion: .file())
  var measures: String?
  @Flag(help: "Measure each image as a frame of a liveness check, for --measures; nothing is evaluated.")
  var frames = false
  @Flag(help: "Evaluate face match over a table of known people.")
  var match = false
  @Option(help: "With --match: similarity from which on two faces count as one person's, -1 to 1.")
  var threshold: Double?
  @Option(
    help: "With --match: write the templates to this table, to evaluate them again. They are biometric data.",
    completion: .file())
  var templates: String?
  @OptionGroup var assets: AssetOptions

  func validate() throws {
    guard match || (threshold == nil && templates == nil) else {
      throw ValidationError("--threshold and --templates go with --match.")
    }
    guard !match || (html == nil && measures == nil && !frames && !byFolder && !complete) else {
      throw ValidationError("--html, --measures, --frames, --by-folder and --complete do not go with --match.")
    }
    if let threshold, !(-1...1).contains(threshold) { throw ValidationError("--threshold must be -1 to 1.") }
    if frames, measures == nil {
      throw ValidationError("--frames measures images for training. Name the table to write with --measures.")
    }
  }

  func run() async throws {
    try await Terminal.reporting { try await evaluate() }
  }

  private func evaluateMatch() async throws {
    var progress = Terminal.Progress()
    let input = try MatchInput(manifest: manifest)
    let found = try await input.templates(
      input.needsModel ? Matcher.make(assets) : nil, onUnreadable: Terminal.note
    ) { progress.show($0, of: $1, what: "files") }
    if let templates { try OutputFile.writePrivately(Array(found.text.utf8), to: templates) }
    let result = MatchEvaluation(found, threshold: threshold ?? MatchThreshold.standard.published)
    guard result.clips > 1 else {
      throw OperationError("\(manifest): fewer than two bona fide clips have a template, so nothing can be compared.")
    }
    if json { return try Terminal.say(JSONText.make(result)) }
    for line in MatchFormatter.lines(result) { try Terminal.say(line) }
  }

  private func evaluate() async throws {
    if match { return try await evaluateMatch() }
    var progress = Terminal.Progress()
    if frames, let measures {
      let table = try await FrameMeasurementTable(manifest: manifest, observer: Tracker.make(assets)).run(
        onUnusable: Terminal.note
      ) { progress.show($0, of: $1, what: "frames") }
      try write(table, to: measures)
      return
    }
    let network = TextureNetwork(
      models: assets.location.models, engines: ProcessInfo.processInfo.activeProcessorCount)
    if let reason = network.missingModel {
      Terminal.note("NOTE: the texture check is evaluated without its network: \(assets.location.text(reason))")
    }
    let outcome = try await PhotoEvaluation(
      manifest: manifest, byFolder: byFolder, completing: complete, network: network
    ).run(
      measures: measures != nil, onUnreadable: Terminal.note
    ) { progress.show($0, of: $1, what: "pictures") }
    if let measures { try write(outcome.measurements, to: measures) }
    if let html {
      var notes = ["\(outcome.presentations) presentations."]
      if outcome.unreadable > 0 { notes.append("\(outcome.unreadable) could not be read and count as not assessed.") }
      let title = "Evaluation of \(URL(fileURLWithPath: manifest).lastPathComponent)"
      try write(HTMLReport.page(title: title, notes: notes, evaluations: outcome.evaluations), to: html)
    }
    if json {
      try Terminal.say(JSONText.make(outcome.evaluations))
    } else {
      for line in EvaluationFormatter.lines(outcome.evaluations) { try Terminal.say(line) }
    }
  }

  private func write(_ text: String, to path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
  }
}
