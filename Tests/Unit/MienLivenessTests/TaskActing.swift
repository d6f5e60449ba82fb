import MienLiveness
import MienCore
import RealModule

/// Builder for synthetic face samples: a sequence of actions at a frame rate.
struct TaskActing {
  var samples: [TaskSample] = []
  var time: Double
  var fps: Double
  var face = TaskSample.Face(
    yaw: 0, pitch: 0, roll: 0, eyeBlinkLeft: 0.1, eyeBlinkRight: 0.1, jawOpen: 0.02, box: Footage.box)

  init(fps: Double = 20, from time: Double = 0) {
    self.fps = fps
    self.time = time
  }

  mutating func add(_ sight: TaskSample.Sight) {
    samples.append(TaskSample(at: .after(time), sight: sight))
    time += 1 / fps
  }

  mutating func run(for seconds: Double, _ change: (inout TaskSample.Face, Float) -> Void = { _, _ in }) {
    let start = time
    while time < start + seconds - 0.5 / fps {
      change(&face, Float((time - start + 1 / fps) / seconds))
      add(.face(face))
    }
  }

  mutating func hold(for seconds: Double) { run(for: seconds) }
  /// Holds still until the rest pose is detected.
  mutating func settle() { hold(for: 0.6) }
  mutating func noFace(for seconds: Double) {
    let end = time + seconds - 0.5 / fps
    while time < end { add(.noFace) }
  }
  mutating func severalFaces(for seconds: Double) {
    let end = time + seconds - 0.5 / fps
    while time < end { add(.severalFaces(2)) }
  }

  /// Moves to a pose at constant speed.
  mutating func move(yaw: Float = 0, pitch: Float = 0, roll: Float = 0, in seconds: Double) {
    let from = SIMD3(face.yaw, face.pitch ?? .nan, face.roll ?? .nan)
    let offset = SIMD3(yaw, pitch, roll) - from
    run(for: seconds) { face, share in
      let pose = from + min(share, 1) * offset
      face.yaw = pose.x
      face.pitch = pose.y
      face.roll = pose.z
    }
  }

  mutating func nod(depth: Float = 18) {
    move(pitch: -depth, in: 0.3)
    move(in: 0.3)
  }

  /// Closes both eyes by the given amounts, then opens them.
  mutating func blink(for seconds: Double = 0.2, left: Float = 0.6, right: Float = 0.6) {
    let open = (face.eyeBlinkLeft, face.eyeBlinkRight)
    face.eyeBlinkLeft = open.0.map { $0 + left }
    face.eyeBlinkRight = open.1.map { $0 + right }
    run(for: seconds)
    (face.eyeBlinkLeft, face.eyeBlinkRight) = open
    run(for: 0.3)
  }

  mutating func openMouth(for seconds: Double = 0.4) {
    face.jawOpen = 0.6
    run(for: seconds)
    face.jawOpen = 0.02
    run(for: 0.2)
  }

  /// Moves along a circle by an angle in degrees, starting at the subject's left; positive angles go up from there.
  mutating func circle(
    _ degrees: Float = 380, from start: Float = 0, radius: SIMD2<Float> = SIMD2(18, 12), in seconds: Double = 3
  ) {
    run(for: seconds) { face, share in
      let angle = (start + degrees * share) * .pi / 180
      face.yaw = radius.x * Float.cos(angle)
      face.pitch = radius.y * Float.cos(angle - .pi / 2)
    }
  }

  mutating func tilt(_ roll: Float, hold: Double = 0.5) {
    self.hold(for: 0.4)
    move(roll: roll, in: 0.3)
    self.hold(for: hold)
    move(in: 0.3)
  }

  /// Returns the state of a state machine after all samples, without further time.
  func state(of task: LivenessTask) -> TaskStateMachine.State { machine(of: task).state }

  func machine(of task: LivenessTask) -> TaskStateMachine {
    var machine = TaskStateMachine(task)
    machine.beginTracking(at: .zero)
    for sample in samples { _ = machine.process(sample) }
    return machine
  }

  /// Returns the state after the task's timeout.
  func stateAtEnd(of task: LivenessTask) -> TaskStateMachine.State {
    var machine = machine(of: task)
    if let deadline = machine.deadline, !machine.isOver {
      var held = self
      while MonotonicInstant.after(held.time) <= deadline { held.hold(for: 0.5) }
      for sample in held.samples[samples.count...] { _ = machine.process(sample) }
      _ = machine.tick(at: deadline + .milliseconds(1))
    }
    return machine.state
  }
}
