// How long reading one observation takes: our reader and Foundation's JSONDecoder on the same bytes in one run.
//
//   ObservationBenchmark [--write FILE]
//
// The ratio is what counts: both figures come from the same machine in the same minute. `peers/orjson_lines.py FILE`
// reads the same bytes with orjson.
import Foundation
import MienModel
import MienRecordings

/// What a server would write with Foundation: the same schema, unknown keys refused by nobody.
struct DecodedObservation: Decodable {
  struct Pose: Decodable {
    var yaw: Float
    var pitch: Float
    var roll: Float
  }
  var t: Double
  var faces: Int?
  var box: [Float]?
  var pose: Pose?
  var blendshapes: [String: Float]?
}

/// A small generator of our own, so that every run reads the same bytes.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

func made(_ count: Int) -> [ClaimedObservation] {
  var dice = SplitMix(state: 7)
  return (0..<count).map { index in
    var shapes = Blendshapes()
    for name in BlendshapeName.allCases { shapes[name] = Float.random(in: 0...1, using: &dice) }
    return ClaimedObservation(
      at: Instant(nanoseconds: Int64(index) * 33_333_333), faceCount: 1,
      box: FaceBox(
        x: Float.random(in: 0.2...0.4, using: &dice), y: 0.25, width: Float.random(in: 0.3...0.5, using: &dice),
        height: 0.5),
      pose: HeadPose(
        yaw: Float.random(in: -40...40, using: &dice), pitch: Float.random(in: -20...20, using: &dice),
        roll: Float.random(in: -10...10, using: &dice)), blendshapes: shapes)
  }
}

func microseconds(_ work: () throws -> Int) rethrows -> (each: Double, count: Int) {
  let clock = ContinuousClock()
  var best = Double.infinity
  var count = 0
  for _ in 0..<5 {
    let start = clock.now
    count = try work()
    let seconds =
      Double((clock.now - start).components.attoseconds) / 1e18
      + Double((clock.now - start).components.seconds)
    best = min(best, seconds)
  }
  return (best * 1e6 / Double(count), count)
}

let observations = made(5_000)
var writer = ObservationLinesWriter(header: ObservationLines.Header(source: .device, frameRate: 30))
for observation in observations { try writer.append(observation) }
let bytes = ContiguousArray(writer.bytes)
if let option = CommandLine.arguments.firstIndex(of: "--write"), option + 1 < CommandLine.arguments.count {
  try Data(bytes).write(to: URL(fileURLWithPath: CommandLine.arguments[option + 1]))
}

let ours = try microseconds {
  var reader = ObservationLinesReader(bytes)
  var count = 0
  while let observation = try reader.next() { count += observation.blendshapes == nil ? 0 : 1 }
  return count
}

let lines = bytes.split(separator: UInt8(ascii: "\n")).dropFirst().prefix(1_000).map { Data($0) }
let foundation = try microseconds {
  let decoder = JSONDecoder()
  var count = 0
  for line in lines {
    count += try decoder.decode(DecodedObservation.self, from: line).blendshapes?.count == 52 ? 1 : 0
  }
  return count
}

func figure(_ value: Double) -> String { String(format: "%.2f", value) }
print("bytes per observation   \(bytes.count / observations.count)")
print("MienRecordings          \(figure(ours.each)) µs per observation (\(ours.count) read)")
print("Foundation JSONDecoder  \(figure(foundation.each)) µs per observation (\(foundation.count) read)")
print("ratio                   \(figure(ours.each / foundation.each))")
