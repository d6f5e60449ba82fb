import ArgumentParser
import Foundation
import MienReconstruction
import MienFiles
import MienScanFiles
import MienScanPipeline

/// `mien scan check`: grades a scan and suggests improvements.
struct ScanCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Assess a scan's quality and suggest improvements.",
    discussion: """
      Assesses distance, movement, holes, missing frames, and coverage; with photos also faces, sharpness, exposure, and \
      poses. Each item is pass, warn, fail, or not assessed.

      Exit status: 0 nothing failed, 1 an item failed, 2 a scan cannot be read, 64 usage error.
      """)

  @Argument(help: "Scans: files or folders.", completion: .file())
  var inputs: [String]
  @Option(help: "A photo of the scan (single input only); give it three times.", completion: .file())
  var photo: [String] = []
  @Flag(name: .customLong("depth-only"), help: "Assess depth only, without photos or models.")
  var depthOnly = false
  @Flag(help: "Also print the guidance an app would have given during the scan, with times.")
  var guide = false
  @OptionGroup var hints: ScanInput
  @OptionGroup var assets: AssetOptions
  @Flag(help: "Print one JSON object per input.")
  var json = false

  func validate() throws {
    if inputs.isEmpty { throw ValidationError("Name a scan.") }
    if inputs.count > 1, !photo.isEmpty { throw ValidationError("--photo goes with one scan.") }
    if depthOnly, !photo.isEmpty { throw ValidationError("--photo and --depth-only exclude each other.") }
  }

  func run() async throws {
    try await Terminal.reporting {
      var failed = false
      for input in inputs {
        let assessment = try await assess(input)
        try Terminal.say(json ? try assessment.json(input) : Self.text(input, assessment))
        failed = failed || assessment.findings.grade == .fail
      }
      if failed { throw ExitCode(1) }
    }
  }

  private func assess(_ input: String) async throws -> ScanAssessment {
    try await hints.open(input) { scan in
      var progress = Terminal.Progress()
      var assessment = try ScanAssessment(scan, named: input, withGuidance: guide, onLostFrame: Terminal.note) {
        progress.show($0, of: $1, what: "of \(input)")
      }
      if !depthOnly {
        try await assessment.addImages(of: scan, photos: try photo.map(InputFile.bytes)) {
          try await Tracker.make(assets)
        }
      }
      return assessment
    }
  }

  private static func text(_ input: String, _ assessment: ScanAssessment) -> String {
    let lines = assessment.findings.map { finding in
      let mark = [.pass: "✓", .warn: "!", .fail: "✗", .notAssessed: "–"][finding.grade] ?? "?"
      return "  \(mark) \(finding.item.rawValue.padding(toLength: 16, withPad: " ", startingAt: 0)) \(finding.words)"
    }
    let measures = assessment.photos.enumerated().flatMap { number, photo in
      ["  photo \(number + 1), measures after ISO/IEC 29794-5 (score 0 to 100):"]
        + photo.measures.map { measure in
          let score = measure.score.map { String(format: "%3.0f", $0) } ?? "  –"
          let value = String(format: "%.4g", measure.value) + (measure.unit.isEmpty ? "" : " " + measure.unit)
          return "    \(score)  \(measure.name.rawValue.padding(toLength: 25, withPad: " ", startingAt: 0)) \(value)"
        }
    }
    let guidance = assessment.guidance.map { changes in
      ["  said while it was scanned:"]
        + changes.map { String(format: "    %6.1f s  ", $0.seconds) + ($0.advice?.rawValue ?? "nothing") }
    }
    return ([input + ": " + assessment.findings.grade.rawValue] + lines + measures + (guidance ?? [])).joined(
      separator: "\n")
  }
}
