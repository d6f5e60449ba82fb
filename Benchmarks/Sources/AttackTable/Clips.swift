import Foundation
import MienCore
import MienLiveness

/// Observations of one video of a real face, as `mien track VIDEO --raw --jsonl FILE` writes them.
struct RealClip {
  let samples: [TaskSample]

  init?(_ path: String) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    samples = text.split(separator: "\n").dropFirst().compactMap(Self.sample)
    guard samples.count > 30 else { return nil }
  }

  private static func sample(_ line: Substring) -> TaskSample? {
    guard let row = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      let time = row["t"] as? Double, row["faces"] as? Int == 1, let pose = row["pose"] as? [String: Double],
      let box = row["box"] as? [Double], box.count == 4, let shapes = row["blendshapes"] as? [String: Double]
    else { return nil }
    let face = TaskSample.Face(
      yaw: Float(pose["yaw"] ?? 0), pitch: Float(pose["pitch"] ?? 0), roll: Float(pose["roll"] ?? 0),
      eyeBlinkLeft: Float(shapes["eyeBlinkLeft"] ?? 0), eyeBlinkRight: Float(shapes["eyeBlinkRight"] ?? 0),
      jawOpen: Float(shapes["jawOpen"] ?? 0),
      box: FaceBox(x: Float(box[0]), y: Float(box[1]), width: Float(box[2]), height: Float(box[3])))
    return TaskSample(at: .zero + .seconds(time), sight: .face(face))
  }
}

/// Attacker with videos of real faces that perform no task, who cuts at every prompt to the frame from which a face moves
/// most nearly as requested.
struct ClipAttacker {
  private let frames: [TaskSample.Face]
  private let times: [Double]
  /// Index of the frame about 0.7 s later in the same clip.
  private let later: [Int?]

  init(_ clips: [RealClip]) {
    var (frames, times, later) = ([TaskSample.Face](), [Double](), [Int?]())
    for clip in clips {
      let base = frames.count
      let own = clip.samples.map { $0.at.since(.zero).inSeconds }
      for (index, sample) in clip.samples.enumerated() {
        guard case .face(let face) = sample.sight else { continue }
        frames.append(face)
        times.append(own[index])
        later.append(own.indices[index...].first { own[$0] >= own[index] + 0.7 }.map { base + $0 })
      }
    }
    (self.frames, self.times, self.later) = (frames, times, later)
  }

  func play(to plan: TaskPlan, _ generator: inout SeededGenerator) -> CheckStateMachine.State {
    var machine = CheckStateMachine(plan: plan, depth: .noDepth)
    var frame = Int.random(in: frames.indices, using: &generator)
    // The subject rests until the first prompt.
    frame = frames.indices.filter { later[$0] != nil }.min { unrest($0, frame) < unrest($1, frame) } ?? frame
    let rest = frames[frame]
    var (now, last) = (MonotonicInstant.zero + .milliseconds(50), Cue?.none)
    while !machine.isOver {
      machine.process(TaskSample(at: now, sight: .face(frames[frame])), hints: [])
      var step = 0.067
      if frame + 1 < frames.count, times[frame + 1] > times[frame], times[frame + 1] < times[frame] + 0.3 {
        step = times[frame + 1] - times[frame]
        frame += 1
      }
      now = now + .seconds(step)
      guard let cue = Cue(machine), cue != last else { continue }
      last = cue
      frame = place(for: cue, task: machine.current.task, from: frames[frame], rest: rest, &generator)
    }
    return machine.state
  }

  private func unrest(_ index: Int, _ start: Int) -> Float {
    guard let later = later[index] else { return .infinity }
    return Self.distance(frames[index], frames[later]) + Float((index * 7919 + start) % 997) / 997
  }

  /// Returns the frame from which the face moves most nearly as requested.
  private func place(
    for cue: Cue, task: LivenessTask, from shown: TaskSample.Face, rest: TaskSample.Face,
    _ generator: inout SeededGenerator
  ) -> Int {
    var goal = SIMD2<Float>(rest.yaw, rest.pitch ?? 0)
    switch cue {
    case .leg(_, let end):
      let angle = Float(end) * 2 * .pi / Float(HeadPathTask.directions)
      goal += SIMD2(18 * Float(cos(Double(angle))), 11 * Float(sin(Double(angle))))
    case .motion(.nod): goal.y -= 16
    case .turn(let side): goal.x += side.yawSign * 35
    default: return Int.random(in: frames.indices, using: &generator)
    }
    var (best, least) = (0, Float.infinity)
    for index in frames.indices {
      guard let later = later[index] else { continue }
      let end = SIMD2(frames[later].yaw, frames[later].pitch ?? 0) - goal
      let score = (end * end).sum().squareRoot() + Self.distance(frames[index], shown)
      if score < least { (best, least) = (index, score) }
    }
    return best
  }

  private static func distance(_ first: TaskSample.Face, _ second: TaskSample.Face) -> Float {
    let way = SIMD3(
      first.yaw - second.yaw, (first.pitch ?? 0) - (second.pitch ?? 0), (first.roll ?? 0) - (second.roll ?? 0))
    return (way * way).sum().squareRoot()
  }
}
