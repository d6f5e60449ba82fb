import MienLiveness
import MienCore
import RealModule

/// Simulated head, or a flat photo of one, in front of a pinhole camera: generates observations as from a tracker.
///
/// The 40 points evaluated by the detectors have the positions of an average face (centimeters; x to the image's right,
/// y up, z toward the camera); the other points do not move.
struct PassiveHead {
  /// Shape of the surface: three-dimensional or flat.
  enum Body { case head, sheet }

  var body = Body.head
  var yaw: Float = 0
  var pitch: Float = 0
  var roll: Float = 0
  /// Offset from the center and distance from the camera, in centimeters.
  var place = SIMD3<Float>(0, 0, 60)
  /// Closure of both eyes, 0…1.
  var closure: Float = 0
  /// Opening of the mouth in centimeters.
  var mouth: Float = 0.1
  /// Yaw reported by the tracker; `nil` for the true one. Trackers detect little rotation of a flat photo.
  var reportedYaw: Float?
  /// Widths of eyes, cheeks and nose relative to the average face.
  var build = SIMD3<Float>(1, 1, 1)
  /// Standard deviation of the tracker's noise in pixels.
  var noise: Float = 0

  static let size = SIMD2<Float>(640, 480)
  private static let focal: Float = 700

  private static let known: [Int: SIMD3<Float>] = [
    10: SIMD3(0, 8.3, 4.5), 151: SIMD3(0, 6.8, 5.2), 9: SIMD3(0, 5, 5.6), 8: SIMD3(0, 4, 5.6), 168: SIMD3(0, 2.8, 5.5),
    6: SIMD3(0, 1.6, 5.9), 197: SIMD3(0, 0.6, 6.5), 195: SIMD3(0, -0.1, 7), 5: SIMD3(0, -0.6, 7.3),
    4: SIMD3(0, -1, 7.5), 1: SIMD3(0, -1.3, 7.4), 19: SIMD3(0, -1.8, 7), 94: SIMD3(0, -2.1, 6.5), 2: SIMD3(0, -2.3, 6),
    98: SIMD3(-1.4, -1.9, 5.4), 327: SIMD3(1.4, -1.9, 5.4), 48: SIMD3(-1.6, -1.4, 5.3), 278: SIMD3(1.6, -1.4, 5.3),
    33: SIMD3(-4.4, 2.7, 3.2), 133: SIMD3(-1.9, 2.5, 3.8), 362: SIMD3(1.9, 2.5, 3.8), 263: SIMD3(4.4, 2.7, 3.2),
    116: SIMD3(-6.2, 1.2, 2), 345: SIMD3(6.2, 1.2, 2), 123: SIMD3(-5.9, -0.4, 2.2), 352: SIMD3(5.9, -0.4, 2.2),
    50: SIMD3(-4.6, -0.2, 3.9), 280: SIMD3(4.6, -0.2, 3.9), 234: SIMD3(-7.6, 1, -1.8), 454: SIMD3(7.6, 1, -1.8),
    127: SIMD3(-7.5, 2.6, -1.6), 356: SIMD3(7.5, 2.6, -1.6), 162: SIMD3(-7.3, 4.6, -1), 389: SIMD3(7.3, 4.6, -1),
  ]

  /// Indices of simulated points; the others are constant, because they are not evaluated.
  private static let moving = known.keys.sorted() + [13, 14, 145, 159, 374, 386]
  private static let rest = [SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)

  private func shape(_ index: Int) -> SIMD3<Float> {
    let open = (1 - closure) * 0.5
    switch index {
    case 13: return SIMD3(0, -4.2 + mouth / 2, 5.6)
    case 14: return SIMD3(0, -4.2 - mouth / 2, 5.6)
    case 159: return SIMD3(-3.1, 2.6 + open, 3.9)
    case 145: return SIMD3(-3.1, 2.6 - open, 3.9)
    case 386: return SIMD3(3.1, 2.6 + open, 3.9)
    case 374: return SIMD3(3.1, 2.6 - open, 3.9)
    default: break
    }
    guard var point = Self.known[index] else { return .zero }
    switch index {
    case 33, 133, 362, 263: point.x *= build.x
    case 234, 454, 127, 356, 162, 389: point.x *= build.y
    case 98, 327, 48, 278: point.x *= build.z
    default: break
    }
    return point
  }

  /// Returns the tracker's observation at time `at`.
  func observation(at: MonotonicInstant, generator: inout SeededGenerator) -> FaceObservation {
    let (sineYaw, cosineYaw) = (Float.sin(yaw * .pi / 180), Float.cos(yaw * .pi / 180))
    let (sineRoll, cosineRoll) = (Float.sin(roll * .pi / 180), Float.cos(roll * .pi / 180))
    let (sinePitch, cosinePitch) = (Float.sin(pitch * .pi / 180), Float.cos(pitch * .pi / 180))
    var points = Self.rest
    for index in Self.moving {
      let whole = shape(index)
      var point = whole
      if body == .sheet { point.z = 0 }
      point = SIMD3(point.x, point.y * cosinePitch - point.z * sinePitch, point.y * sinePitch + point.z * cosinePitch)
      point = SIMD3(point.x * cosineYaw + point.z * sineYaw, point.y, point.z * cosineYaw - point.x * sineYaw)
      point = SIMD3(
        point.x * cosineRoll - point.y * sineRoll, point.x * sineRoll + point.y * cosineRoll, point.z)
      let scale = Self.focal / (place.z - point.z)
      // For a flat photo the tracker, which only models heads, reports a head's depth.
      let toward = body == .sheet ? whole.z : point.z
      let jitter = noise > 0 ? SIMD2(noise * generator.normal(), noise * generator.normal()) : SIMD2(0, 0)
      points[index] = SIMD3(
        0.5 + ((point.x + place.x) * scale + jitter.x) / Self.size.x,
        0.5 - ((point.y + place.y) * scale + jitter.y) / Self.size.y,
        -toward * Self.focal / place.z / Self.size.x)
    }
    var blendshapes = Blendshapes()
    blendshapes[.eyeBlinkLeft] = closure
    blendshapes[.eyeBlinkRight] = closure
    guard let landmarks = Landmarks(points), let presence = Score(1) else { preconditionFailure("a complete face") }
    return FaceObservation(
      at: at, frameWidth: Int(Self.size.x), frameHeight: Int(Self.size.y), brightness: 120, faceCount: 1,
      face: ObservedFace(
        box: FaceBox(x: 0.3, y: 0.2, width: 0.4, height: 0.6), presence: presence,
        pose: HeadPose(yaw: reportedYaw ?? yaw, pitch: pitch, roll: roll), blendshapes: blendshapes,
        landmarks: landmarks))
  }
}

/// Simulated session of a person who sways, turns from side to side and blinks, with random phases.
struct PassiveSession {
  var head = PassiveHead()
  var frames = 90
  var rate = 15.0
  var turn: Float = 0
  var sway: Float = 1
  var blinks = true
  /// Scale of the reported yaw; `nil` for the true yaw.
  var reported: Float?
  var seed = 1

  /// Observations with arrival times as in a real network.
  var observations: [FaceObservation] {
    var generator = SeededGenerator(seed)
    let phases = (0..<6).map { _ in Float.random(in: 0..<360, using: &generator) }
    let start = Float.random(in: 10..<30, using: &generator)
    func wave(_ hertz: Float, _ phase: Int, _ time: Float) -> Float {
      Float.sin(2 * .pi * (hertz * time + phases[phase] / 360))
    }
    return (0..<frames).map { index in
      let time = Float(Double(index) / rate)
      var now = head
      now.yaw += turn * wave(0.27, 0, time) + sway * 2 * wave(0.61, 1, time)
      now.pitch += sway * 2 * wave(0.43, 2, time)
      now.place.x += sway * (wave(0.37, 3, time) + 0.4 * wave(0.83, 4, time))
      now.place.y += sway * 0.5 * wave(0.53, 5, time)
      if blinks, Float(index) >= start, Float(index) < start + 4 { now.closure = 0.7 }
      if let reported { now.reportedYaw = now.yaw * reported }
      let late = Double(Float.random(in: 0..<0.02, using: &generator))
      return now.observation(at: MonotonicInstant.zero + .seconds(Double(index) / rate + late), generator: &generator)
    }
  }
}

extension PassiveSignalMonitor {
  /// Returns a monitor that has processed all observations.
  static func over(_ observations: [FaceObservation], _ settings: PassiveSettings = .recording) -> PassiveSignalMonitor
  {
    var monitor = PassiveSignalMonitor(settings: settings)
    for observation in observations { monitor.process(observation) }
    return monitor
  }

  /// Returns the finding of one check, or `nil`.
  func finding(_ check: String) -> Finding.Result? { findings.first { $0.check == check }?.result }
}

extension Finding.Result {
  /// Reason of a suspect finding.
  var reason: String? {
    guard case .suspect(_, let reason) = self else { return nil }
    return reason
  }

  var measure: Finding.Measure? {
    switch self {
    case .genuine(let measure), .suspect(let measure, _): measure
    case .notAssessed: nil
    }
  }
}

extension [FaceObservation] {
  /// Returns the same observations with new timestamps at a constant rate.
  func resent(rate: Double = 15) -> [FaceObservation] {
    enumerated().map { index, observation in
      var again = observation
      again.at = MonotonicInstant.zero + .seconds(Double(index) / rate)
      return again
    }
  }
}
