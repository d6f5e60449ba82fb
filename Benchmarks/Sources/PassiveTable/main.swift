// Results of the passive signals on clips: one line per clip, then the shares of suspects with 95 % Wilson intervals.
//
//   PassiveTable MODELS ROOT        ROOT/<set>/<clip>/NNNNN.jpg and times.txt, as scripts/make-attacks writes them
//   PassiveTable MODELS ROOT 6      the same, each clip cut into windows of 6 s (windows of one clip are not
//   independent)
//   PassiveTable MODELS ROOT 0 3    complete clips with every third frame only: a slow camera
//   PassiveTable speed MODELS CLIP  observations per second, on the observations of one clip
//
// Writes obs.f32 beside each clip, so that a second run needs no tracking: per frame t, width, height, brightness,
// faces, has a face, presence, box (4), pose (3), 52 coefficients, 478 × (x, y, z); 32-bit floats, NaN without a face.

import CAllocationCount
import Foundation
import MienLiveness
import MienCore
import MienTracking

let width = 6 + 8 + 52 + 478 * 3

func track(_ folder: String, _ engine: inout FaceTracker) throws -> [Float] {
  let cache = URL(fileURLWithPath: folder + "/obs.f32")
  if let data = try? Data(contentsOf: cache) {
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }
  let times = try String(contentsOfFile: folder + "/times.txt", encoding: .utf8).split(separator: "\n")
    .compactMap { Double($0) }
  let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jpg") }.sorted()
  var (track, out) = (FaceTrackState(), [Float]())
  for (file, time) in zip(files, times) {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)))
    let seen = try engine.observe(EncodedFrame(bytes: bytes, at: MonotonicInstant.zero + .seconds(time)), after: &track)
    out += [
      Float(time), Float(seen.frameWidth), Float(seen.frameHeight), seen.brightness, Float(seen.faceCount),
      seen.face == nil ? 0 : 1,
    ]
    guard let face = seen.face else {
      out += [Float](repeating: .nan, count: width - 6)
      continue
    }
    let box = face.box
    out += [Float(face.presence.value), box.x, box.y, box.width, box.height]
    out += [face.pose.yaw, face.pose.pitch, face.pose.roll]
    out += BlendshapeName.allCases.map { face.blendshapes[$0] ?? .nan }
    for point in face.landmarks.points { out += [point.x, point.y, point.z] }
  }
  try out.withUnsafeBytes { Data($0) }.write(to: cache)
  return out
}

func observations(_ numbers: [Float]) -> [FaceObservation] {
  stride(from: 0, to: numbers.count - width + 1, by: width).map { start in
    let row = numbers[start..<start + width]
    func value(_ index: Int) -> Float { row[start + index] }
    var face: ObservedFace?
    if value(5) > 0 {
      var shapes = Blendshapes()
      for name in BlendshapeName.allCases { shapes[name] = value(14 + name.rawValue) }
      let points = (0..<478).map { SIMD3(value(66 + 3 * $0), value(67 + 3 * $0), value(68 + 3 * $0)) }
      face = ObservedFace(
        box: FaceBox(x: value(7), y: value(8), width: value(9), height: value(10)), presence: Score(Double(value(6)))!,
        pose: HeadPose(yaw: value(11), pitch: value(12), roll: value(13)), blendshapes: shapes,
        landmarks: Landmarks(points)!)
    }
    return FaceObservation(
      at: MonotonicInstant.zero + .seconds(Double(value(0))), frameWidth: Int(value(1)), frameHeight: Int(value(2)),
      brightness: value(3), faceCount: Int(value(4)), face: face)
  }
}

/// Returns Wilson's 95 % interval for `count` of `total`, in percent.
func wilson(_ count: Int, _ total: Int) -> String {
  let (z, n) = (1.959964, Double(total))
  let p = Double(count) / n
  let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
  let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
  return String(
    format: "%d/%d %.0f%% [%.0f-%.0f]", count, total, 100 * p, 100 * max(0, middle - half),
    100 * min(1, middle + half))
}

func folders(_ path: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: path).sorted()
}

/// Processor time of this process, which excludes other processes.
func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

let arguments = CommandLine.arguments
guard arguments.count >= 3, arguments[1] != "speed" || arguments.count >= 4 else {
  print("usage: PassiveTable MODELS ROOT [SECONDS [EVERY_NTH_FRAME]] | PassiveTable speed MODELS CLIP")
  exit(64)
}
if arguments[1] == "speed" {
  var engine = try FaceTracker(FaceModels(folder: arguments[2]))
  let seen = observations(try track(arguments[3], &engine))
  let stopwatch = ContinuousClock()
  let rounds = 200_000 / seen.count
  var watch = PassiveSignalMonitor(settings: .live)
  for observation in seen { watch.process(observation) }
  let before = allocation_count()
  let start = stopwatch.now
  let startOfWork = processorSeconds()
  for _ in 0..<rounds { for observation in seen { watch.process(observation) } }
  let time = start.duration(to: stopwatch.now) / .seconds(1)
  let work = processorSeconds() - startOfWork
  print("heap allocations in these observations: \(allocation_count() - before) (goal 0)")
  print(
    String(
      format: "all watches: %.0f observations/s, %d frames", Double(rounds * seen.count) / time, rounds * seen.count))
  print(String(format: "by processor time: %.0f observations/s", Double(rounds * seen.count) / work))
  var timing = FrameTimingDetector(FrameTimingSettings()!)
  let again = stopwatch.now
  for _ in 0..<100 * rounds { for observation in seen { timing.process(observation.at) } }
  let timingTime = again.duration(to: stopwatch.now) / .seconds(1)
  print(String(format: "timing alone: %.0f observations/s", Double(100 * rounds * seen.count) / timingTime))
  print(timing.finding.check)
  let asking = stopwatch.now
  var assessed = 0
  for _ in 0..<100 { if watch.assessment.trust != nil { assessed += 1 } }
  print(
    String(
      format: "assessment: %.1f us each (%d)", asking.duration(to: stopwatch.now) / .microseconds(1) / 100, assessed))
  exit(0)
}

/// Splits a clip into windows of the requested length; a shorter clip is one window.
func windows(_ all: [FaceObservation]) -> [[FaceObservation]] {
  let every = arguments.count > 4 ? max(1, Int(arguments[4]) ?? 1) : 1
  let all = stride(from: 0, to: all.count, by: every).map { all[$0] }
  guard arguments.count > 3, let seconds = Double(arguments[3]), seconds > 0, let first = all.first?.at,
    let last = all.last?.at
  else { return [all] }
  let count = max(1, Int(last.since(first).inSeconds / seconds))
  return (0..<count).map { number in
    all.filter { count == 1 || Int($0.at.since(first).inSeconds / seconds) == number }
  }
}

var engine = try FaceTracker(FaceModels(folder: arguments[1]))
var tallies: [(String, [String: (Int, Int)])] = []
for set in try folders(arguments[2]) {
  var tally: [String: (Int, Int)] = [:]
  for clip in try folders("\(arguments[2])/\(set)") {
    let folder = "\(arguments[2])/\(set)/\(clip)"
    guard FileManager.default.fileExists(atPath: folder + "/times.txt") else { continue }
    let seen = observations(try track(folder, &engine))
    for (number, window) in windows(seen).enumerated() {
      var watch = PassiveSignalMonitor(settings: .recording)
      for observation in window { watch.process(observation) }
      var line = "\(set)/\(clip) \(number)".padding(toLength: 50, withPad: " ", startingAt: 0)
      for finding in watch.findings {
        let name = finding.check
        let (suspect, assessed) = tally[name] ?? (0, 0)
        switch finding.result {
        case .genuine(let measure):
          line += String(format: " %.4f ", measure.native)
          tally[name] = (suspect, assessed + 1)
        case .suspect(let measure, _):
          line += String(format: " %.4f!", measure.native)
          tally[name] = (suspect + 1, assessed + 1)
        case .notAssessed: line += "      - "
        }
      }
      let outcome = watch.assessment.outcome
      line += " \(outcome)"
      for (name, counts) in [
        ("= doubtful or refused", outcome == .doubtful || outcome == .refused), ("= refused", outcome == .refused),
      ] {
        let (suspect, assessed) = tally[name] ?? (0, 0)
        tally[name] = (suspect + (counts ? 1 : 0), assessed + 1)
      }
      print(line)
    }
  }
  tallies.append((set, tally))
}
for (set, tally) in tallies {
  print("\n\(set)")
  for (check, (suspect, assessed)) in tally.sorted(by: { $0.key < $1.key }) where assessed > 0 {
    print("  \(check.padding(toLength: 24, withPad: " ", startingAt: 0)) \(wilson(suspect, assessed))")
  }
}
