// Speed of face tracking in images. Prints one line of JSON per measurement.
//
//   TrackingBenchmark engine MODELS FOLDER-OF-JPEGS [FRAMES]     one engine on this thread
//   TrackingBenchmark landmarks MODELS FOLDER-OF-JPEGS [FRAMES]  the same, computing only what the peer does: neither signs of a
//                                                                screen nor further faces
//   TrackingBenchmark sessions MODELS FOLDER-OF-JPEGS [FRAMES]   a pool of two engines: one session, then two in
//   parallel

import Foundation
import MienCodecs
import MienCore
import MienPlatform
import MienTracking

let arguments = CommandLine.arguments
guard arguments.count >= 4, let frames = Int(arguments.count > 4 ? arguments[4] : "300"), frames > 0 else {
  print("usage: TrackingBenchmark engine|landmarks|sessions MODELS FOLDER-OF-JPEGS [FRAMES]")
  exit(64)
}
let models = arguments[2]
let images = try FileManager.default.contentsOfDirectory(atPath: arguments[3]).filter { $0.hasSuffix(".jpg") }
  .sorted().map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(arguments[3])/\($0)"))) }
guard !images.isEmpty else {
  print("no .jpg in \(arguments[3])")
  exit(66)
}
let clock = ContinuousClock()
let warmUp = 20

func image(_ index: Int) -> EncodedFrame {
  EncodedFrame(bytes: images[index % images.count], at: MonotonicInstant(nanoseconds: Int64(index) * 33_333_333))
}

func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

func text(_ value: Double) -> String { String(format: "%.3f", value) }

/// Resident memory of this process in megabytes.
func residentMegabytes() -> Double {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  let kilobytes = line?.split(separator: " ").compactMap { Double($0) }.first
  return (kilobytes ?? .nan) / 1024
}

func measureEngine(_ settings: TrackingSettings = TrackingSettings()) throws {
  let start = clock.now
  var engine = try FaceTracker(FaceModels(folder: models), settings: settings)
  let ready = milliseconds(start.duration(to: clock.now))
  var track = FaceTrackState()
  var (times, found): ([Double], Int) = ([], 0)
  for index in 0..<warmUp + frames {
    let frame = image(index)
    let before = clock.now
    let seen = try engine.observe(frame, after: &track)
    let time = milliseconds(before.duration(to: clock.now))
    guard index >= warmUp else { continue }
    times.append(time)
    if seen.face != nil { found += 1 }
  }
  times.sort()
  let mean = times.reduce(0, +) / Double(frames)
  print(
    """
    {"median_ms": \(text(times[frames / 2])), "p90_ms": \(text(times[9 * frames / 10])), "mean_ms": \(text(mean)), \
    "frames": \(frames), "found": \(found), "ready_ms": \(text(ready)), "resident_mb": \(text(residentMegabytes()))}
    """)
}

/// Returns frames per second of `sessions` sessions, each sending its next frame after the previous result.
func rate(_ pool: FaceTrackerPool, sessions: Int) async throws -> Double {
  let start = clock.now
  try await withThrowingTaskGroup(of: Void.self) { group in
    for session in 0..<sessions {
      group.addTask {
        guard let id = CheckID("chk_\(session)") else { preconditionFailure("digits are valid in IDs") }
        var track = FaceTrackState()
        for index in 0..<frames { track = try await pool.process(at: image(index), after: track, in: .live(id)).track }
      }
    }
    try await group.waitForAll()
  }
  return Double(sessions * frames) / (start.duration(to: clock.now) / .seconds(1))
}

func measureSessions() async throws {
  let pool = FaceTrackerPool(models: models, engines: 2)
  _ = try await rate(pool, sessions: 2)
  // Alternating, three times each, so that other load on the machine affects both.
  var (one, two): ([Double], [Double]) = ([], [])
  for _ in 0..<3 {
    one.append(try await rate(pool, sessions: 1))
    two.append(try await rate(pool, sessions: 2))
  }
  let ratio = zip(two, one).map { $0 / $1 }.sorted()[1]
  print(
    """
    {"one_session_fps": \(text(one.max()!)), "two_sessions_fps": \(text(two.max()!)), "ratio": \(text(ratio)), \
    "resident_mb": \(text(residentMegabytes()))}
    """)
}

switch arguments[1] {
case "engine": try measureEngine()
case "landmarks":
  var settings = TrackingSettings()
  settings.framesBetweenScores = 0
  (settings.framesBetweenDetections, settings.framesBetweenPartSearches) = (.max, .max)
  try measureEngine(settings)
case "sessions": try await measureSessions()
default:
  print("unknown measurement \(arguments[1])")
  exit(64)
}
