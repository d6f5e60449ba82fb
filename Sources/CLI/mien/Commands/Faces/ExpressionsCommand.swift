import ArgumentParser
import Foundation
import MienCore
import MienExpressions
import MienFiles
import MienRecordings
import MienTracking

/// `mien expressions`: lists the expressions in a recording or a video with their times.
struct ExpressionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expressions", abstract: "List the expressions in a video or recording.",
    discussion: """
      wink_l, tongue_out, surprise, wink_r, smile, smooch; sides are the subject's own. Each is held for 0.4 s, with a
      neutral face between two (Documentation/guides/Expressions.md). Exit status: 0 analyzed, 2 not readable, 64 usage error.
      """)

  @Argument(help: "A video, or a recording (.jsonl, .csv of Live Link Face, .json of MediaPipe).", completion: .file())
  var input: String
  @Flag(help: "Calibrate with the neutral face, held still for the first second.")
  var calibrate = false
  @Option(help: "Frames per second, for recordings without timing.")
  var frameRate: Double?
  @Flag(help: "Print the list as JSON.")
  var json = false
  @OptionGroup var assets: AssetOptions

  func validate() throws {
    guard frameRate.map({ $0 > 0 && $0 <= 1000 }) != false else {
      throw ValidationError("--frame-rate must be above 0 and at most 1000.")
    }
  }

  func run() async throws {
    try await Terminal.reporting { try await list() }
  }

  private func list() async throws {
    var found = ExpressionReport(calibrating: calibrate)
    if Input.isRecording(input) {
      let rules = ParserLimits(order: .keep, frameRate: frameRate)
      let recording: Recording
      do {
        recording = try Recording.read(ContiguousArray(InputFile.bytes(input)), rules: rules)
      } catch let error as RecordingError {
        throw OperationError("\(input): \(error)")
      }
      let source = recording.source.expressionSource
      for claim in recording.replay() { found.process(ExpressionSample(claim, source: source), source) }
    } else {
      let pool = try await Tracker.make(assets)
      var progress = Terminal.Progress()
      try await FrameSource(observer: pool, paths: [input]).forEach { seen in
        progress.show(seen.index + 1, of: seen.total, what: "frame \(seen.index + 1) of \(seen.total)")
        found.process(ExpressionSample(seen.observation), .tracker)
      }
    }
    try Terminal.say(json ? try found.jsonText() : found.text)
    if found.facesSeen == 0 { throw ExitCode(2) }
  }
}

extension RecordingSource {
  /// Source type whose thresholds apply to the recording's coefficients.
  var expressionSource: ExpressionSource {
    switch self {
    case .mienTracker, .mediaPipe: .tracker
    case .arkit, .liveLinkFace, .device: .phone
    }
  }
}

/// Accumulates the results of `mien expressions`.
struct ExpressionReport {
  private(set) var facesSeen = 0
  private var frames = 0
  private var machine: ExpressionDetector?
  private var calibration: BaselineCalibrator?
  private var performed: [RecognizedExpression] = []
  private let isCalibrating: Bool

  init(calibrating: Bool) {
    isCalibrating = calibrating
    calibration = calibrating ? BaselineCalibrator() : nil
  }

  mutating func process(_ sample: ExpressionSample, _ source: ExpressionSource) {
    frames += 1
    if case .face = sample.sight { facesSeen += 1 }
    var watching = machine ?? ExpressionDetector(source: source)
    if calibration?.baseline == nil, isCalibrating {
      calibration?.process(sample)
      if let baseline = calibration?.baseline { watching.baseline = baseline }
    } else if case .performed(let expression) = watching.process(sample) {
      performed.append(expression)
    }
    machine = watching
  }

  private var unavailable: [FaceExpression] {
    facesSeen == 0 ? [] : FaceExpression.allCases.filter { machine?.isAvailable($0) == false }
  }

  /// One line per expression, followed by the expressions that the source does not provide.
  var text: String {
    var lines = performed.map { performed in
      func seconds(_ instant: MonotonicInstant) -> String { String(format: "%.2f", instant.seconds) }
      return "\(seconds(performed.began))–\(seconds(performed.at)) s  \(performed.expression.text)"
    }
    if lines.isEmpty { lines.append("no expression in \(frames) frames, \(facesSeen) of them with a face") }
    if !unavailable.isEmpty {
      lines.append("not available from this source: \(unavailable.map(\.text).joined(separator: ", "))")
    }
    if isCalibrating, calibration?.baseline == nil {
      lines.append("no neutral face was held still for a second; nothing was looked for")
    }
    return lines.joined(separator: "\n")
  }

  func jsonText() throws -> String {
    struct Row: Encodable {
      let expression: String
      let began: Double
      let at: Double
    }
    struct Reply: Encodable {
      let frames: Int
      let framesWithFace: Int
      let calibrated: Bool
      let expressions: [Row]
      let unavailable: [String]
      let settings: String
      enum CodingKeys: String, CodingKey {
        case frames, calibrated, expressions, unavailable, settings
        case framesWithFace = "frames_with_face"
      }
    }
    return try JSONText.make(
      Reply(
        frames: frames, framesWithFace: facesSeen, calibrated: calibration?.baseline != nil,
        expressions: performed.map { Row(expression: $0.expression.text, began: $0.began.seconds, at: $0.at.seconds) },
        unavailable: unavailable.map(\.text), settings: ExpressionSettings.version))
  }
}
