import MienCore
import MienLiveness

/// Prompt of a task at one moment, as far as an attacker can choose a recording by it.
enum Cue: Hashable {
  /// A waypoint of a head path, with the one before it; −1 is the rest pose.
  case leg(from: Int, to: Int)
  case motion(Motion)
  case turn(Side)
  case circle(CircleTask.Direction?)
  case question(String)
  case blinks(Int)

  /// Returns the cue that the check shows now; `nil` if nothing is asked for.
  init?(_ machine: CheckStateMachine) {
    guard machine.state == .tracking, let task = machine.task else { return nil }
    switch machine.current.prompt {
    case .faceCamera, .upright, .comeBack, .light: return nil
    case .turn(let side): self = .turn(side)
    case .circle(let circle): self = .circle(circle.direction)
    case .question(_, _, let id): self = .question(id)
    case .motion(let motion, _, _):
      guard let motion else { return nil }
      self = .motion(motion)
    case .blink(_, let count): self = .blinks(count)
    case .path(let path):
      guard case .headPath(let task) = task else { return nil }
      self = .leg(from: path.index == 0 ? -1 : task.waypoints[path.index - 1], to: task.waypoints[path.index])
    }
  }

  /// Direction that the cue asks for; cues with the same one are the next best choice.
  var end: Int? {
    if case .leg(_, let end) = self { return end }
    return nil
  }
}

/// One recorded performance: its frames, and the cues at which the recorded subject began to follow them.
struct RecordedTake {
  struct Mark {
    let cue: Cue
    /// Index of the first frame after the cue was shown.
    let frame: Int
  }

  var samples: [TaskSample] = []
  /// Yaw, pitch and roll of each sample, without the tracker's noise.
  var poses: [SIMD3<Float>] = []
  var marks: [Mark] = []
  /// Position of the subject, as given to `TaskSample.Face.moved(by:)`.
  var place = SIMD3<Float>.zero
  /// Motions of the recorded sequence, if the performance had one.
  var sequence: [Motion] = []
  var passed = false
  /// Seconds from the beginning of the first task to the end, and from the first frame to the end.
  var performance = 0.0
  var total = 0.0

  /// Records `person` doing a check with this plan.
  init(
    of plan: TaskPlan, by person: TaskPerson, at place: SIMD3<Float> = .zero, fps: Double,
    _ generator: inout SeededGenerator
  ) {
    var (person, machine) = (person, CheckStateMachine(plan: plan, depth: .noDepth))
    for task in plan.tasks {
      if case .yesOrNo(let task) = task { for ask in task.questions { person.answers[ask.id] = ask.answer } }
      if case .motions(let task) = task { sequence = task.steps.map(\.motion) }
    }
    self.place = place
    var (time, last, began) = (0.05, Cue?.none, Double?.none)
    while !machine.isOver, time < 320 {
      let prompt = machine.state == .tracking ? machine.prompt ?? .faceCamera : .faceCamera
      let face = person.face(at: time, showing: prompt, &generator).moved(by: place)
      let sample = TaskSample(at: .zero + .seconds(time), sight: .face(face))
      samples.append(sample)
      poses.append(person.pose)
      machine.process(sample, hints: [])
      if began == nil, machine.state == .tracking { began = time }
      let cue = Cue(machine)
      if let cue, cue != last { marks.append(Mark(cue: cue, frame: samples.count)) }
      last = cue ?? last
      time += (1 / fps) * .random(in: 0.85...1.15, using: &generator)
    }
    passed = machine.state == .passed
    total = time
    performance = time - (began ?? time)
  }
}

extension TaskSample.Face {
  /// Returns the face of a subject who sits elsewhere: its box is shifted by the first two numbers in face widths and
  /// enlarged by the third.
  func moved(by place: SIMD3<Float>) -> Self {
    var face = self
    face.box = box.map { box in
      let size = 1 + place.z
      return FaceBox(
        x: box.x + place.x * box.width, y: box.y + place.y * box.width, width: box.width * size,
        height: box.height * size)
    }
    return face
  }
}
