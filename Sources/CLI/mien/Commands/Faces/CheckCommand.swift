import ArgumentParser
import Foundation
import MienCore
import MienFileAnalysis
import MienFiles
import MienLiveness
import MienRecordings
import MienTracking

/// `mien check`: applies the server's decision logic to a video or a recording, using its own timestamps.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Run a liveness check on a video or recording.",
    discussion: "Exit status: 0 passed, 1 failed, 2 not assessed, 64 usage error.")

  enum Challenge: String, ExpressibleByArgument, CaseIterable {
    case turnLeft = "turn-left"
    case turnRight = "turn-right"
    var side: Side { self == .turnLeft ? .subjectLeft : .subjectRight }
  }

  @Argument(help: "A video, or a recording (.jsonl, .csv of Live Link Face, .json of MediaPipe).", completion: .file())
  var input: String
  @Option(help: "Side to turn to, from the subject's point of view.")
  var challenge: Challenge
  @Option(help: "Start this many seconds into the input.")
  var from: Double = 0
  @Option(help: "Seconds allowed for reading the instruction; 0 if the subject knew it in advance.")
  var pause: Double = 1
  @Option(help: "Frames per second, for recordings without timing.")
  var frameRate: Double?
  @Flag(help: "Print the result as JSON.")
  var json = false
  @OptionGroup var assets: AssetOptions

  func validate() throws {
    guard from >= 0, from.isFinite else { throw ValidationError("--from must be 0 or more seconds.") }
    guard (0...10).contains(pause) else { throw ValidationError("--pause must be 0 to 10 seconds.") }
    guard frameRate.map({ $0 > 0 && $0 <= 1000 }) != false else {
      throw ValidationError("--frame-rate must be above 0 and at most 1000.")
    }
  }

  func run() async throws {
    try await Terminal.reporting { try await check() }
  }

  private func check() async throws {
    guard let settings = CheckSettings(instructionPause: .seconds(pause)) else {
      throw OperationError("--pause \(pause) is out of range.")
    }
    var run = OfflineCheck(side: challenge.side, settings: settings)
    let start = MonotonicInstant(seconds: from) ?? .zero
    do {
      if Input.isRecording(input) {
        let recording = try readRecording()
        for observation in recording.replay() where observation.at >= start && !run.isOver { run.process(observation) }
      } else {
        let pool = try await Tracker.make(assets)
        var progress = Terminal.Progress()
        try await FrameSource(observer: pool, paths: [input]).forEach { seen in
          progress.show(seen.index + 1, of: seen.total, what: "frame \(seen.index + 1) of \(seen.total)")
          if seen.observation.at >= start, !run.isOver { run.process(seen.observation) }
        }
      }
    } catch let error as OperationError {
      try sayUnreadable()
      throw error
    } catch let error as RecordingError {
      try sayUnreadable()
      throw OperationError("\(input): \(error)")
    }
    let outcome = run.finish()
    try Terminal.say(
      json ? try outcome.jsonText(challenge: challenge.rawValue) : outcome.text(challenge: challenge.rawValue))
    if outcome.exitCode != 0 { throw ExitCode(outcome.exitCode) }
  }

  /// Prints a JSON result even on failure, so that a program that parses the output always receives one.
  private func sayUnreadable() throws {
    guard json else { return }
    try Terminal.say(
      JSONText.make(["verdict": "not-assessed", "challenge": challenge.rawValue, "reason": "unreadable"]))
  }

  private func readRecording() throws -> Recording {
    try Recording.read(ContiguousArray(InputFile.bytes(input)), rules: ParserLimits(order: .keep, frameRate: frameRate))
  }
}
