internal import MienCore

/// Smooths the measurements of one face from frame to frame.
struct FaceSmoother: Sendable {
  private var last: MonotonicInstant
  private var pose: OneEuroFilter<SIMD3<Float>>
  private var box: OneEuroFilter<SIMD4<Float>>
  private var blendshapes: OneEuroFilter<SIMD64<Float>>
  /// Bit i is set if coefficient i has been measured since the filter started.
  private var started: UInt64

  init(_ face: ObservedFace, at: MonotonicInstant) {
    last = at
    pose = OneEuroFilter(Self.lanes(face.pose))
    box = OneEuroFilter(Self.lanes(face.box))
    blendshapes = OneEuroFilter(Self.lanes(face.blendshapes))
    started = Self.measured(face.blendshapes)
  }

  /// Smooths `face` with the previous frames; restarts after a gap, a step back in time, a jump of the angles, or a
  /// change of the measured coefficients.
  mutating func smooth(_ face: inout ObservedFace, at: MonotonicInstant, _ settings: OneEuroSettings) {
    let step = at.since(last).inSeconds
    let angles = Self.lanes(face.pose)
    guard step > 0, step <= settings.longestGap, (angles - pose.values).max() < 90, (pose.values - angles).max() < 90,
      started == Self.measured(face.blendshapes)
    else {
      self = FaceSmoother(face, at: at)
      return
    }
    last = at
    pose.update(angles, step: Float(step), settings.pose, speedCutoff: settings.speedCutoff)
    box.update(Self.lanes(face.box), step: Float(step), settings.box, speedCutoff: settings.speedCutoff)
    blendshapes.update(
      Self.lanes(face.blendshapes), step: Float(step), settings.blendshapes, speedCutoff: settings.speedCutoff)
    face.pose = HeadPose(yaw: pose.values.x, pitch: pose.values.y, roll: pose.values.z)
    face.box = FaceBox(x: box.values.x, y: box.values.y, width: box.values.z, height: box.values.w)
    for name in BlendshapeName.allCases where face.blendshapes.has(name) {
      face.blendshapes[name] = blendshapes.values[name.rawValue]
    }
  }

  private static func lanes(_ pose: HeadPose) -> SIMD3<Float> { SIMD3(pose.yaw, pose.pitch, pose.roll) }

  private static func lanes(_ box: FaceBox) -> SIMD4<Float> { SIMD4(box.x, box.y, box.width, box.height) }

  private static func lanes(_ blendshapes: Blendshapes) -> SIMD64<Float> {
    var lanes = SIMD64<Float>(repeating: 0)
    for name in BlendshapeName.allCases {
      if let value = blendshapes[name] { lanes[name.rawValue] = value }
    }
    return lanes
  }

  private static func measured(_ blendshapes: Blendshapes) -> UInt64 {
    var bits: UInt64 = 0
    for name in BlendshapeName.allCases where blendshapes.has(name) { bits |= 1 << UInt64(name.rawValue) }
    return bits
  }
}

/// A one-euro filter over several values at once (Casiez, Roussel, Vogel: "1€ Filter", CHI 2012).
struct OneEuroFilter<Values: SIMD & Sendable>: Hashable, Sendable where Values.Scalar == Float {
  private(set) var values: Values
  private var speeds = Values(repeating: 0)

  /// Creates a filter with initial measured values.
  init(_ values: Values) {
    self.values = values
  }

  /// Updates the filter with the values of the next frame, `step` seconds later (greater than 0).
  mutating func update(_ measured: Values, step: Float, _ strength: OneEuroSettings.Strength, speedCutoff: Float) {
    let speedShare = Self.share(cutoff: speedCutoff, step: step)
    for lane in 0..<Values.scalarCount {
      speeds[lane] += speedShare * ((measured[lane] - values[lane]) / step - speeds[lane])
      let cutoff = strength.minimum + strength.slope * abs(speeds[lane])
      values[lane] += Self.share(cutoff: cutoff, step: step) * (measured[lane] - values[lane])
    }
  }

  /// Returns the weight of a new value: 1 / (1 + τ / step) with τ = 1 / (2π cutoff).
  private static func share(cutoff: Float, step: Float) -> Float {
    1 / (1 + 1 / (2 * .pi * cutoff * step))
  }
}
