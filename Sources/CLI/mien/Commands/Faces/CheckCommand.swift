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
    discussion: """
      Examples:
        mien check clip.mov                           which side was turned to?
        mien check clip.mov --challenge turn-right    was it turned to the right?
        mien check clip.mov --assurance standard      how many checks does it pass?

      With --assurance, presents a video to many checks with random tasks, as an attacker presents a recording, and counts \
      how many it passes. Exit status: 0 passed, or with --assurance presented; 1 failed, 2 not assessed, 64 usage error.
      """)

  enum Challenge: String, ExpressibleByArgument, CaseIterable {
    case turnLeft = "turn-left"
    case turnRight = "turn-right"
    var side: Side { self == .turnLeft ? .subjectLeft : .subjectRight }

    init(_ side: Side) { self = side == .subjectLeft ? .turnLeft : .turnRight }
  }

  @Argument(help: "A video, or a recording (.jsonl, .csv of Live Link Face, .json of MediaPipe).", completion: .file())
  var input: String
  @Option(help: "Side to turn to, from the subject's point of view (default: the side that was turned to).")
  var challenge: Challenge?
  @Option(
    parsing: .upToNextOption,
    help: "Present the video to checks of these levels with random tasks instead: basic, standard, high.")
  var assurance: [AssuranceLevel] = []
  @Option(help: "Number of checks of each level for --assurance.")
  var tries = 100
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
    guard challenge == nil || assurance.isEmpty else {
      throw ValidationError("Give either --challenge (turn-left or turn-right) or --assurance.")
    }
    guard (1...100_000).contains(tries) else { throw ValidationError("--tries must be 1 to 100000.") }
    guard assurance.isEmpty || !Input.isRecording(input) else {
      throw ValidationError("--assurance needs a video: recordings lack what passive signals measure.")
    }
    guard from >= 0, from.isFinite else { throw ValidationError("--from must be 0 or more seconds.") }
    guard (0...10).contains(pause) else { throw ValidationError("--pause must be 0 to 10 seconds.") }
    guard frameRate.map({ $0 > 0 && $0 <= 1000 }) != false else {
      throw ValidationError("--frame-rate must be above 0 and at most 1000.")
    }
  }

  func run() async throws {
    try await Terminal.reporting {
      if assurance.isEmpty { try await check() } else { try await present() }
    }
  }

  private func present() async throws {
    var attack = RecordingAttack()
    let start = MonotonicInstant(seconds: from) ?? .zero
    let pool = try await Tracker.make(assets)
    var progress = Terminal.Progress()
    try await FrameSource(observer: pool, paths: [input]).forEach { seen in
      progress.show(seen.index + 1, of: seen.total, what: "frame \(seen.index + 1) of \(seen.total)")
      if seen.observation.at >= start { attack.process(seen.observation) }
    }
    var exitCode: Int32 = 0
    for asked in assurance {
      let outcome = try attack.run(against: asked, tries: tries)
      try Terminal.say(json ? try outcome.jsonText() : outcome.text)
      exitCode = outcome.exitCode
    }
    if exitCode != 0 { throw ExitCode(exitCode) }
  }

  private func check() async throws {
    guard let settings = CheckSettings(instructionPause: .seconds(pause)) else {
      throw OperationError("--pause \(pause) is out of range.")
    }
    var run = TurnCheck(side: challenge?.side, settings: settings)
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
    let (side, outcome) = run.finish()
    let turn = side.map { Challenge($0).rawValue }
    try Terminal.say(json ? try outcome.jsonText(challenge: turn) : outcome.text(challenge: turn))
    if outcome.exitCode != 0 { throw ExitCode(outcome.exitCode) }
  }

  /// Prints a JSON result even on failure, so that a program that parses the output always receives one.
  private func sayUnreadable() throws {
    guard json else { return }
    var reply = ["verdict": "not-assessed", "reason": "unreadable"]
    reply["challenge"] = challenge?.rawValue
    try Terminal.say(JSONText.make(reply))
  }

  private func readRecording() throws -> Recording {
    let rules = ParserLimits(order: .keep, frameRate: frameRate)
    let recording = try Recording.read(ContiguousArray(InputFile.bytes(input)), rules: rules)
    for note in recording.notes { Terminal.note("\(input): \(note)") }
    return recording
  }
}
