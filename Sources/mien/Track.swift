import ArgumentParser
import Foundation
import MienModel
import MienRecordings
import MienService
import MienTracking

/// `mien track`: what the tracker sees, as files for people and programs.
struct Track: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Track the face in a video or in pictures.",
    discussion: "Videos are read through ffmpeg. Angles are in degrees; yaw + = the subject's left.")

  @Argument(help: "A video, pictures, or a folder of pictures.", completion: .file())
  var inputs: [String]
  @Option(help: "Write time, pose and the 52 coefficients as CSV.", completion: .file())
  var csv: String?
  @Option(help: "Write observation lines (Documentation/Formats/ObservationLines.md).", completion: .file())
  var jsonl: String?
  @Option(
    name: .customLong("live-link"), help: "Write the CSV of Live Link Face for animation tools.", completion: .file())
  var liveLink: String?
  @Option(help: "Draw landmarks and pose on every frame, into this folder.", completion: .directory)
  var overlay: String?
  @Flag(help: "Turn the temporal filter off.")
  var raw = false
  @Flag(help: "Print the summary as JSON.")
  var json = false
  @OptionGroup var places: Places

  func run() async throws {
    let pool = try await Tracker.make(places, smoothing: !raw)
    var summary = TrackSummary()
    var observations: [ClaimedObservation] = []
    var progress = Terminal.Progress()
    var painter: OverlayWriter?
    if let overlay { painter = try OverlayWriter(folder: overlay) }
    let keeps = csv != nil || jsonl != nil || liveLink != nil
    try await FrameSource(observer: pool, paths: inputs).forEach { seen in
      summary.saw(seen.observation)
      if keeps { observations.append(ClaimedObservation(seen.observation)) }
      try painter?.write(seen.jpeg, seen.observation, name: seen.name)
      progress.show(seen.index + 1, of: seen.total, what: "frame \(seen.index + 1) of \(seen.total)")
    }
    let recording = Recording(source: .mienTracker, frameRate: summary.frameRate, observations: observations)
    if let jsonl { try write(recording.write(as: .observationLines), to: jsonl) }
    if let liveLink { try write(recording.write(as: .liveLinkFace), to: liveLink) }
    if let csv { try write(Array(PlainCSV.text(observations).utf8), to: csv) }
    Terminal.say(json ? try summary.jsonText() : summary.text)
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}

/// Makes the tracker for a command, or explains what is missing.
enum Tracker {
  static func make(_ places: Places, smoothing: Bool = true) async throws -> FaceEnginePool {
    var settings = TrackingSettings()
    if !smoothing { settings.smoothing = .off }
    let pool = FaceEnginePool(models: places.modelFolder, engines: 1, settings: settings)
    let obstacles = await pool.obstacles()
    guard obstacles.isEmpty else {
      for obstacle in obstacles { Terminal.note("\(obstacle.words) Run scripts/install-parts, then `mien doctor`.") }
      throw ExitCode(2)
    }
    return pool
  }
}
