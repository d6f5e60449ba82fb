import ArgumentParser
import Foundation
import MienCore
import MienExpressions
import MienFileAnalysis
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
    var found = ExpressionReport()
    if Input.isRecording(input) {
      let rules = ParserLimits(order: .keep, frameRate: frameRate)
      let recording: Recording
      do {
        recording = try Recording.read(ContiguousArray(InputFile.bytes(input)), rules: rules)
        for note in recording.notes { Terminal.note("\(input): \(note)") }
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
