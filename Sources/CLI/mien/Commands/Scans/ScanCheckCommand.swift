import ArgumentParser
import Foundation
import MienCore
import MienDepth
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
        let look = try await look(at: input)
        try Terminal.say(json ? try Self.json(input, look) : Self.words(input, look))
        failed = failed || look.findings.grade == .fail
      }
      if failed { throw ExitCode(1) }
    }
  }

  /// Findings for one input.
  private struct FrameInspection {
    var findings: [ScanFinding] = []
    var photos: [PhotoInspector.Photo] = []
    /// Guidance and the seconds since the first frame; `nil` if not requested.
    var said: [(seconds: Double, advice: ScanGuidanceEngine.Advice?)]?
  }

  private func look(at input: String) async throws -> FrameInspection {
    try await hints.open(input) { try await look(at: $0, of: input) }
  }

  private func look(at scan: ScanImporter, of input: String) async throws -> FrameInspection {
    var look = FrameInspection()
    var inspector = try inspect(scan, input, &look)
    look.findings = inspector.findings
    if depthOnly { return look }
    let colors = try ColorFrameInspection.inspect(scan)
    var photos = try photo.map(InputFile.bytes)
    do throws(ScanError) {
      for number in 0..<scan.imageCount {
        let image = try scan.image(at: number)
        guard image.role == .photo else { continue }
        if let pose = image.pose { inspector.see(photoFrom: pose) }
        if photo.isEmpty { photos.append(image.bytes) }
      }
    } catch { throw OperationError("\(input): \(error.description)") }
    // A recording by an app that takes no photos is not graded down for having none.
    look.findings = inspector.findings + colors.findings
    guard !photos.isEmpty || scan.format == .legacy else { return look }
    if !photos.isEmpty {
      look.photos = try await PhotoInspection.look(at: photos, with: try await Tracker.make(assets))
    }
    look.findings += PhotoInspector(look.photos).findings
    return look
  }

  /// Inspects every frame; damaged ones are reported and counted as lost.
  private func inspect(_ scan: ScanImporter, _ input: String, _ look: inout FrameInspection) throws -> ScanInspector {
    var inspector = ScanInspector(scan.header)
    var guide = ScanGuidanceEngine(scan.header)
    var began: Double?
    if self.guide { look.said = [] }
    var progress = Terminal.Progress()
    var cursor = scan.cursor()
    for number in 0..<scan.frameCount {
      progress.show(number + 1, of: scan.frameCount, what: "of \(input)")
      let frame: ScanFrame
      do throws(ScanError) {
        frame = try cursor.frame(at: number)
      } catch {
        guard error.code == .damaged || error.code == .missing else {
          throw OperationError("\(input): \(error.description)")
        }
        Terminal.note("\(input): \(error.description)")
        inspector.lostFrame()
        continue
      }
      inspector.see(frame)
      guard self.guide else { continue }
      let start = began ?? frame.at.seconds
      began = start
      if guide.see(frame) { look.said?.append((frame.at.seconds - start, guide.advice)) }
    }
    return inspector
  }

  private static func words(_ input: String, _ look: FrameInspection) -> String {
    let lines = look.findings.map { finding in
      let mark = [.pass: "✓", .warn: "!", .fail: "✗", .notAssessed: "–"][finding.grade] ?? "?"
      return "  \(mark) \(finding.item.rawValue.padding(toLength: 16, withPad: " ", startingAt: 0)) \(finding.words)"
    }
    let measures = look.photos.enumerated().flatMap { number, photo in
      ["  photo \(number + 1), measures after ISO/IEC 29794-5 (score 0 to 100):"]
        + photo.measures.map { measure in
          let score = measure.score.map { String(format: "%3.0f", $0) } ?? "  –"
          let value = String(format: "%.4g", measure.value) + (measure.unit.isEmpty ? "" : " " + measure.unit)
          return "    \(score)  \(measure.name.rawValue.padding(toLength: 25, withPad: " ", startingAt: 0)) \(value)"
        }
    }
    let said = look.said.map { said in
      ["  said while it was scanned:"]
        + said.map { String(format: "    %6.1f s  ", $0.seconds) + ($0.advice?.rawValue ?? "nothing") }
    }
    return ([input + ": " + look.findings.grade.rawValue] + lines + measures + (said ?? [])).joined(separator: "\n")
  }

  private struct Line: Encodable {
    let input: String
    let grade: String
    let findings: [Item]
    let photos: [Photo]
    let guide: [ReportedValue]?

    /// A change of guidance: `advice` is `null` if it was withdrawn without a replacement.
    struct ReportedValue: Encodable {
      let seconds: Double
      let advice: String?
    }

    struct Photo: Encodable {
      let measures: [Measure]
    }

    struct Measure: Encodable {
      let name: String
      let value: Double
      let unit: String
      let score: Double?
    }

    struct Item: Encodable {
      let item: String
      let grade: String
      let value: Double?
      let unit: String
      let words: String
    }
  }

  private static func json(_ input: String, _ look: FrameInspection) throws -> String {
    try JSONText.make(
      Line(
        input: input, grade: look.findings.grade.rawValue,
        findings: look.findings.map { finding in
          Line.Item(
            item: finding.item.rawValue, grade: finding.grade.rawValue, value: finding.value, unit: finding.unit,
            words: finding.words)
        },
        photos: look.photos.map { photo in
          Line.Photo(
            measures: photo.measures.map { measure in
              Line.Measure(name: measure.name.rawValue, value: measure.value, unit: measure.unit, score: measure.score)
            })
        }, guide: look.said?.map { Line.ReportedValue(seconds: $0.seconds, advice: $0.advice?.rawValue) }))
  }
}
