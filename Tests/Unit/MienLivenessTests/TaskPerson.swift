import MienLiveness
import MienCore
import RealModule

/// Simulated user who follows the prompts with a reaction delay: the head moves toward the intended pose with inertia,
/// the eyes blink spontaneously, and all values contain tracking noise.
struct TaskPerson {
  var rest = SIMD3<Float>.zero
  /// Standard deviation of the tracker's noise in degrees.
  var jitter: Float = 0.4
  /// Reaction time after a change of the prompt, in seconds.
  var delay = 0.35
  /// Time constant of the head movement in seconds.
  var inertia: Float = 0.15
  /// Maximum speed of the head in degrees per second.
  var topSpeed: Float = 110
  /// Ratio of actual to intended movement.
  var gain: Float = 1
  var openEyes = SIMD2<Float>(0.1, 0.07)
  var blinkHeight: Float = 0.5
  var blinkLength = 0.25
  /// Mean time between spontaneous blinks in seconds.
  var blinkEvery = 4.0
  var circleTime = 3.5
  var circleRadius = SIMD2<Float>(18, 12)
  var tilt: Float = 24
  var nodDepth: Float = 17
  var nodLength = 0.6
  var mouthLength = 0.6
  var answers: [String: Bool] = [:]

  /// Yaw, pitch and roll of the face returned last, without the tracker's noise.
  private(set) var pose = SIMD3<Float>.zero
  private var head = SIMD3<Float>.zero
  private var seen: [(at: Double, prompt: TaskPrompt)] = []
  private var now = 0.0
  private var circleSince: Double?
  private var questionSince: (id: String, at: Double)?
  private var stepDone = -1
  private var doneAt = 0.0
  private var nodAt = -9.0
  private var mouthAt = -9.0
  private var blinkAt = -9.0
  private var closedAt = -9.0
  private var nextBlink = 1.0
  private var startAngle: Float = 0
  private var lit = LitFace(gain: 0.12)

  init() {}

  init(_ generator: inout SeededGenerator) {
    rest = SIMD3(
      .random(in: -5...5, using: &generator), .random(in: -10...12, using: &generator),
      .random(in: -4...4, using: &generator))
    jitter = .random(in: 0.1...1, using: &generator)
    delay = .random(in: 0.2...0.7, using: &generator)
    inertia = .random(in: 0.08...0.2, using: &generator)
    topSpeed = .random(in: 60...140, using: &generator)
    gain = .random(in: 0.85...1.15, using: &generator)
    openEyes = SIMD2(.random(in: 0.02...0.3, using: &generator), .random(in: 0.02...0.3, using: &generator))
    blinkHeight = .random(in: 0.35...0.65, using: &generator)
    blinkLength = .random(in: 0.25...0.45, using: &generator)
    blinkEvery = .random(in: 2.5...7, using: &generator)
    circleTime = .random(in: 2...5, using: &generator)
    circleRadius = SIMD2(.random(in: 13...24, using: &generator), .random(in: 9...15, using: &generator))
    tilt = .random(in: 19...30, using: &generator)
    nodDepth = .random(in: 15...24, using: &generator)
    nodLength = .random(in: 0.45...1, using: &generator)
    mouthLength = .random(in: 0.4...1, using: &generator)
    startAngle = .random(in: 0...360, using: &generator)
  }

  /// Returns the face at `time`, which must increase with each call, while `prompt` is shown.
  mutating func face(at time: Double, showing prompt: TaskPrompt, _ generator: inout SeededGenerator) -> TaskSample.Face
  {
    seen.append((time, prompt))
    while seen.count > 1, seen[1].at <= time - delay { seen.removeFirst() }
    let known = seen[0].at <= time - delay ? seen[0].prompt : .faceCamera
    // Small time steps, so that the head's path does not depend on the frame rate.
    while now < time {
      let step = min(0.02, time - now)
      now += step
      let intended = intention(known, at: now, &generator)
      let reach = topSpeed * Float(step)
      let wanted = (intended - head) * min(Float(step) / inertia, 1)
      head += wanted.clamped(lowerBound: SIMD3(repeating: -reach), upperBound: SIMD3(repeating: reach))
    }
    pose = rest + head
    pose.y -= nodDepth * Self.raisedCosine(now, nodAt, nodLength)
    var pose = pose
    for axis in 0..<3 { pose[axis] += jitter * generator.normal() }
    if now > nextBlink {
      blinkAt = now
      nextBlink = now + blinkEvery * .random(in: 0.5...1.5, using: &generator)
    }
    // Eyelids close faster than they open, and follow a nod slightly.
    let closed = max(Self.blink(now, blinkAt, blinkLength), Self.closure(now, closedAt))
    let lids = blinkHeight * closed + 0.15 * Self.raisedCosine(now, nodAt, nodLength)
    let jaw = 0.03 + 0.6 * Self.raisedCosine(now, mouthAt, mouthLength)
    var face = TaskSample.Face(
      yaw: pose.x, pitch: pose.y, roll: pose.z, eyeBlinkLeft: openEyes.x + lids + 0.015 * generator.normal(),
      eyeBlinkRight: openEyes.y + lids + 0.015 * generator.normal(), jawOpen: max(jaw + 0.01 * generator.normal(), 0),
      box: FaceBox(x: 0.3 + 0.002 * generator.normal(), y: 0.2, width: 0.4, height: 0.6))
    if case .light(let light) = prompt { face.light = lit.face(at: time, showing: light.color, &generator) }
    return face
  }

  private mutating func intention(_ prompt: TaskPrompt, at time: Double, _ generator: inout SeededGenerator) -> SIMD3<
    Float
  > {
    switch prompt {
    case .faceCamera, .upright, .comeBack, .light: return .zero
    case .turn(let side): return SIMD3(side.yawSign * 42, 0, 0)
    case .circle(let circle):
      let since = circleSince ?? time
      circleSince = since
      let direction: Float = circle.direction == .counterclockwise ? -1 : 1
      // Outward first, then around.
      let turn = Float(max(time - since - 0.3, 0) / circleTime)
      let angle = (startAngle + direction * 360 * turn) * .pi / 180
      return SIMD3(circleRadius.x * Float.cos(angle), circleRadius.y * Float.cos(angle - .pi / 2), 0)
    case .question(_, _, let id):
      if questionSince?.id != id { questionSince = (id, time + .random(in: 0.2...1.2, using: &generator)) }
      guard let questionSince, time >= questionSince.at, let answer = answers[id] else { return .zero }
      return SIMD3(0, 0, answer ? tilt : -tilt)
    case .motion(let motion, let index, _):
      // The motion is repeated if it was not counted.
      guard let motion, index > stepDone || time > doneAt + (motion == .closure ? 4 : 1.9) else { return .zero }
      stepDone = index
      doneAt = time
      switch motion {
      case .nod: nodAt = time
      case .mouth: mouthAt = time
      case .closure:
        closedAt = time
        nextBlink = max(nextBlink, time + 2)
      case .blink:
        blinkAt = time
        nextBlink = max(nextBlink, time + 1)
      }
      return .zero
    case .blink(let done, let count):
      if done < count, time > blinkAt + blinkLength + 0.5 { blinkAt = time }
      return .zero
    case .path(let path): return gain * SIMD3(path.target.yaw, path.target.pitch, 0)
    }
  }

  /// Returns a raised cosine of this length.
  static func raisedCosine(_ time: Double, _ start: Double, _ length: Double) -> Float {
    let share = (time - start) / length
    guard share > 0, share < 1 else { return 0 }
    return (1 - Float.cos(Float(share) * 2 * .pi)) / 2
  }

  private static func blink(_ time: Double, _ start: Double, _ length: Double) -> Float {
    let share = Float((time - start) / length)
    guard share >= 0, share < 1 else { return 0 }
    return share < 0.25 ? share * 4 : share < 0.5 ? 1 : (1 - share) * 2
  }

  /// Closing of the eyelids in a motion of 1.7 s; the eyes are fully closed for 1.25 s.
  private static func closure(_ time: Double, _ start: Double) -> Float {
    let since = Float(time - start)
    guard since >= 0, since < 1.7 else { return 0 }
    return min(since / 0.15, 1, (1.7 - since) / 0.3)
  }
}
