import MienLiveness
import MienCore

/// Samples as from a camera: yaw in degrees, one centered face.
struct Footage {
  var samples: [HeadSample] = []
  /// Time of the next sample in seconds.
  var time = 0.0
  let interval: Double

  static let box = FaceBox(x: 0.3, y: 0.2, width: 0.4, height: 0.6)

  init(fps: Double = 10) { interval = 1 / fps }

  init(_ yaws: [Float], fps: Double = 10) {
    self.init(fps: fps)
    for yaw in yaws { face(yaw) }
  }

  mutating func add(_ sight: HeadSample.Sight) {
    samples.append(HeadSample(at: .after(time), sight: sight))
    time += interval
  }
  mutating func face(_ yaw: Float, box: FaceBox? = Footage.box) { add(.face(yaw: yaw, box: box)) }
  mutating func faces(_ yaws: [Float]) { for yaw in yaws { face(yaw) } }
  mutating func hold(_ yaw: Float, for seconds: Double) { repeatFor(seconds) { $0.face(yaw) } }
  mutating func noFace(for seconds: Double) { repeatFor(seconds) { $0.add(.noFace) } }
  mutating func severalFaces(for seconds: Double) { repeatFor(seconds) { $0.add(.severalFaces(2)) } }

  private mutating func repeatFor(_ seconds: Double, _ body: (inout Footage) -> Void) {
    let end = time + seconds - interval / 2
    while time < end { body(&self) }
  }

  /// Same samples with the sign of every yaw flipped.
  var mirrored: [HeadSample] {
    samples.map { sample in
      guard case .face(let yaw, let box) = sample.sight else { return sample }
      return HeadSample(at: sample.at, sight: .face(yaw: -yaw, box: box))
    }
  }
}

extension MonotonicInstant {
  static func after(_ seconds: Double) -> MonotonicInstant { MonotonicInstant.zero + .seconds(seconds) }
}

extension HeadTurnStateMachine {
  /// Returns a state machine that tracks from the origin of time.
  static func tracking(_ side: Side, _ settings: HeadTurnSettings = .standard) -> HeadTurnStateMachine {
    var machine = HeadTurnStateMachine(side: side, settings: settings)
    machine.issue()
    machine.beginTracking(at: .zero)
    return machine
  }

  /// Processes all samples and returns the last step that was not ignored.
  @discardableResult mutating func process(all samples: [HeadSample]) -> Step {
    var last = Step.ignored
    for sample in samples {
      let step = process(sample)
      if step != .ignored { last = step }
    }
    return last
  }
}

/// Simulated head turn: waits, turns to a peak, rests and returns, each at its own speed.
struct Turner {
  var wait = 0.5
  var out = 0.8
  var rest = 0.3
  var back = 0.8
  var peak: Float = 40
  /// `true` for smooth starts and stops (half a cosine), `false` for constant speed.
  var smooth = true
  /// Standard deviation of the tracker's white noise in degrees.
  var jitter: Float = 0

  func yaw(at time: Double) -> Float {
    func ease(_ x: Double) -> Float {
      let x = Float(min(max(x, 0), 1))
      return smooth ? x * x * (3 - 2 * x) : x
    }
    if time < wait + out + rest { return peak * ease((time - wait) / out) }
    return peak * (1 - ease((time - wait - out - rest) / back))
  }

  var length: Double { wait + out + rest + back + 0.5 }

  func footage(_ side: Side, fps: Double, generator: inout SeededGenerator) -> Footage {
    var footage = Footage(fps: fps)
    while footage.time < length {
      footage.face(side.yawSign * yaw(at: footage.time) + jitter * generator.normal())
    }
    return footage
  }
}
