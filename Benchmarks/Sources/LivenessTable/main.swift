// Success rate of attacks against each task: every attack clip is presented to checks with random tasks, as on the
// server.
//
//   LivenessTable ROOT [DRAWS]     ROOT/<set>/<clip>/obs.f32, as PassiveTable writes them; 40 draws by default
//
// A clip is repeated, from five starting points, until the check is over: an attacker has no other movement to show.
// The passive signals process the unrepeated clip once, because a repetition would be rejected as a loop. Prints two
// tables, in percent of all presentations with 95 % intervals (Wilson) over the clips, because presentations of one
// clip are not independent: for the task alone, and for the task together with the passive signals.

import Foundation
import MienLiveness
import MienCore

let width = 6 + 8 + 52 + 478 * 3

/// Tracked observations of one clip.
struct Clip {
  let samples: [(sample: TaskSample, hints: [FramingHint])]
  let length: Interval
  /// `true` if the passive signals reject the clip.
  let isRejected: Bool

  init?(_ path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    let numbers = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let seen = stride(from: 0, to: numbers.count - width + 1, by: width).map { Self.observation(numbers, $0) }
    guard let first = seen.first?.at, let last = seen.last?.at, seen.count > 1 else { return nil }
    let advice = FramingAdvice()
    samples = seen.map { (TaskSample($0), advice.hints(for: $0)) }
    length = Interval(nanoseconds: last.since(first).nanoseconds + 66_700_000)
    var watch = PassiveSignalMonitor(settings: .recording)
    for observation in seen { watch.process(observation) }
    isRejected = watch.assessment.outcome == .refused
  }

  private static func observation(_ numbers: [Float], _ start: Int) -> FaceObservation {
    func value(_ index: Int) -> Float { numbers[start + index] }
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

  /// Presents the clip to a check until it is over. Returns `true` if the check passed.
  func passes(_ machine: consuming CheckStateMachine, from start: Int) -> Bool {
    let base = samples[0].sample.at
    var round = 0
    var index = start
    while !machine.isOver {
      if index == samples.count { (index, round) = (0, round + 1) }
      let sample = samples[index].sample
      let offset = sample.at.since(base).nanoseconds + Int64(round) * length.nanoseconds
      machine.process(
        TaskSample(at: MonotonicInstant(nanoseconds: offset), sight: sample.sight), hints: samples[index].hints)
      index += 1
    }
    if case .passed = machine.state { return true }
    return false
  }
}

/// Formats a share of `total` with Wilson's 95 % interval, in percent.
func wilson(_ share: Double, _ total: Int) -> String {
  let (z, n) = (1.959964, Double(total))
  let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
  let half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
  return String(
    format: "%.1f [%.0f–%.0f]", 100 * share, 100 * max(0, middle - half), 100 * min(1, middle + half))
}

let questions = [true, false, true, false].enumerated().map { TaskQuestion(id: "\($0.offset)", answer: $0.element) }

func plan(_ name: String, _ generator: inout SplitMixGenerator) throws -> TaskPlan {
  switch name {
  case "standard", "high":
    guard let plan = AssuranceLevel(rawValue: name)?.plan(using: &generator) else {
      preconditionFailure("a subject who can perform everything")
    }
    return plan
  case "yes-or-no":
    return TaskPlan(.yesOrNo(try .shuffled(questions: questions, difficulty: .medium, timeout: nil, using: &generator)))
  default:
    guard let kind = TaskKind(rawValue: name),
      let task = LivenessTask.random(kind, difficulty: .medium, using: &generator)
    else { preconditionFailure("\(name) is a kind") }
    return TaskPlan(task)
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 2, let sets = try? FileManager.default.contentsOfDirectory(atPath: arguments[1]).sorted()
else {
  print("usage: LivenessTable ROOT [DRAWS]")
  exit(64)
}
let draws = arguments.count > 2 ? Int(arguments[2]) ?? 40 : 40
let names = ["head-turn", "complete-the-circle", "yes-or-no", "motions", "blink", "head-path", "standard", "high"]
var (taskTable, signalTable): ([String], [String]) = ([], [])
for set in sets {
  let folder = arguments[1] + "/" + set
  let clips = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    .compactMap { Clip(folder + "/" + $0 + "/obs.f32") }
  guard !clips.isEmpty else { continue }
  var (taskOnly, withSignals) = ([String](), [String]())
  for name in names {
    var generator = SplitMixGenerator(seed: 1)
    var (sum, sumWithSignals) = (0.0, 0.0)
    for clip in clips {
      var passed = 0
      for _ in 0..<draws {
        for start in 0..<5 {
          // The state machine is a value: each presentation uses a new one.
          let machine = CheckStateMachine(plan: try plan(name, &generator), depth: .noDepth)
          if clip.passes(machine, from: clip.samples.count * start / 5) { passed += 1 }
        }
      }
      sum += Double(passed) / Double(draws * 5)
      if !clip.isRejected { sumWithSignals += Double(passed) / Double(draws * 5) }
    }
    taskOnly.append(wilson(sum / Double(clips.count), clips.count))
    withSignals.append(wilson(sumWithSignals / Double(clips.count), clips.count))
  }
  taskTable.append("| \(set) | \(clips.count) | " + taskOnly.joined(separator: " | ") + " |")
  signalTable.append("| \(set) | \(clips.count) | " + withSignals.joined(separator: " | ") + " |")
}
let head = "| set | clips | " + names.joined(separator: " | ") + " |\n|---|---|" + names.map { _ in "---|" }.joined()
print("By the task alone (% passed [95 %]):\n\n\(head)\n\(taskTable.joined(separator: "\n"))\n")
print("By the task and the passive signals:\n\n\(head)\n\(signalTable.joined(separator: "\n"))")
