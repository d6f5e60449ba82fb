// Time to parse one observation: this project's parser and Foundation's JSONDecoder on the same bytes in one run.
//
//   ObservationBenchmark [--write FILE]
//
// Compare the ratio: both values come from the same machine at the same time. `peers/orjson_lines.py FILE` parses the
// same bytes with orjson.
import CAllocationCount
import Foundation
import MienCore
import MienRecordings

/// Observation decoded with Foundation: the same schema, but without rejection of unknown keys.
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

func made(_ count: Int) -> [ClientObservation] {
  var generator = SplitMixGenerator(seed: 7)
  return (0..<count).map { index in
    var shapes = Blendshapes()
    for name in BlendshapeName.allCases { shapes[name] = Float.random(in: 0...1, using: &generator) }
    return ClientObservation(
      at: MonotonicInstant(nanoseconds: Int64(index) * 33_333_333), faceCount: 1,
      box: FaceBox(
        x: Float.random(in: 0.2...0.4, using: &generator), y: 0.25,
        width: Float.random(in: 0.3...0.5, using: &generator),
        height: 0.5),
      pose: HeadPose(
        yaw: Float.random(in: -40...40, using: &generator), pitch: Float.random(in: -20...20, using: &generator),
        roll: Float.random(in: -10...10, using: &generator)), blendshapes: shapes)
  }
}

/// Returns the median time of seven rounds, and the number of allocations in one round.
func measured(_ work: () throws -> Int) rethrows -> (microseconds: Double, count: Int, allocations: Int) {
  let clock = ContinuousClock()
  var rounds: [Double] = []
  var count = 0
  var allocations = 0
  for _ in 0..<7 {
    let counted = allocation_count()
    let start = clock.now
    count = try work()
    rounds.append((clock.now - start) / .microseconds(1) / Double(count))
    allocations = Int(allocation_count() - counted)
  }
  rounds.sort()
  return (rounds[rounds.count / 2], count, allocations)
}

let observations = made(5_000)
var writer = ObservationLinesWriter(header: ObservationJSONL.Header(source: .device, frameRate: 30))
for observation in observations { try writer.append(observation) }
let bytes = ContiguousArray(writer.bytes)
if let option = CommandLine.arguments.firstIndex(of: "--write"), option + 1 < CommandLine.arguments.count {
  try Data(bytes).write(to: URL(fileURLWithPath: CommandLine.arguments[option + 1]))
}

let ours = try measured {
  var reader = ObservationLinesReader(bytes)
  var count = 0
  while let observation = try reader.next() { count += observation.blendshapes == nil ? 0 : 1 }
  return count
}

let lines = bytes.split(separator: UInt8(ascii: "\n")).dropFirst().prefix(1_000).map { Data($0) }
let foundation = try measured {
  let decoder = JSONDecoder()
  var count = 0
  for line in lines {
    count += try decoder.decode(DecodedObservation.self, from: line).blendshapes?.count == 52 ? 1 : 0
  }
  return count
}

func figure(_ value: Double) -> String { String(format: "%.2f", value) }
print("bytes per observation   \(bytes.count / observations.count)")
print("MienRecordings          \(figure(ours.microseconds)) µs per observation (goal 6), \(ours.count) read")
print("Foundation JSONDecoder  \(figure(foundation.microseconds)) µs per observation, \(foundation.count) read")
print("ratio                   \(figure(ours.microseconds / foundation.microseconds))")
print("heap allocations        \(ours.allocations) for \(ours.count) observations (goal 0)")
if ours.allocations != 0 { fatalError("reading an observation allocated") }
