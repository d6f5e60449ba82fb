import MienLiveness
import MienCore
import Testing

/// Pattern of light and dark at 32 landmarks of a face, which varies slightly as the head turns.
private struct Complexion {
  let base: SIMD32<Float>
  let shade: SIMD32<Float>

  init(_ seed: Int) {
    var generator = SeededGenerator(seed)
    var (base, shade) = (SIMD32<Float>(repeating: 0), SIMD32<Float>(repeating: 0))
    for index in 0..<32 {
      base[index] = Float.random(in: 70..<190, using: &generator)
      shade[index] = Float.random(in: -1..<1, using: &generator)
    }
    (self.base, self.shade) = (base, shade)
  }

  func tones(yaw: Float, exposure: Float = 1, noise: Float = 2, generator: inout SeededGenerator) -> LandmarkTones {
    var values = (base + shade * yaw) * exposure
    for index in 0..<32 { values[index] += Float.random(in: -noise...noise, using: &generator) }
    return LandmarkTones(values)
  }
}

@Suite struct `Passive signals: landmark tones` {
  private static func native(_ observations: [FaceObservation]) throws -> Double {
    switch try #require(PassiveSignalMonitor.over(observations).finding("landmark-pixels")) {
    case .genuine(let measure), .suspect(let measure, _): return measure.native
    case .notAssessed: return -1
    }
  }

  /// Returns a session with tones and exposure specified for each frame.
  private static func session(_ frames: Int = 90, tones: (Int, Float, inout SeededGenerator) -> LandmarkTones?)
    -> [FaceObservation]
  {
    var generator = SeededGenerator(9)
    var session = PassiveSession()
    session.frames = frames
    session.turn = 12
    return session.observations.enumerated().map { index, observation in
      var observation = observation
      observation.tones = tones(index, observation.face?.pose.yaw ?? 0, &generator)
      return observation
    }
  }

  @Test(arguments: 1...8) func `a face keeps its tones while the pose and exposure change`(seed: Int) throws {
    let face = Complexion(seed)
    let seen = Self.session { index, yaw, generator in
      face.tones(yaw: yaw, exposure: 0.6 + 0.4 * Float(index % 30) / 30, generator: &generator)
    }
    let finding = try #require(PassiveSignalMonitor.over(seen).finding("landmark-pixels"))
    #expect(finding.reason == nil)
    #expect(try Self.native(seen) < 0.05 && Self.native(seen) >= 0)
  }

  @Test(arguments: 1...8) func `another face with the same landmarks is detected even after a gap`(seed: Int) throws {
    let (one, other) = (Complexion(seed), Complexion(seed + 100))
    let seen = Self.session { index, yaw, generator in
      (index < 45 ? one : other).tones(yaw: yaw, generator: &generator)
    }
    #expect(PassiveSignalMonitor.over(seen).finding("landmark-pixels")?.reason == "pixels-changed")
    var gap = seen
    gap.removeSubrange(40..<50)
    #expect(PassiveSignalMonitor.over(gap).finding("landmark-pixels")?.reason == "pixels-changed")
  }

  @Test func `missing and implausible tones are not assessed`() throws {
    let face = Complexion(3)
    let nothing = Self.session { _, _, _ in nil }
    let few = Self.session(10) { _, yaw, generator in face.tones(yaw: yaw, generator: &generator) }
    let flat = Self.session { _, _, _ in LandmarkTones(SIMD32(repeating: 90)) }
    let broken = Self.session { _, _, _ in LandmarkTones(SIMD32(repeating: .nan)) }
    let infinite = Self.session { index, yaw, generator in
      var values = face.tones(yaw: yaw, generator: &generator).values
      values[index % 32] = .infinity
      return LandmarkTones(values)
    }
    for seen in [nothing, few, flat, broken, infinite] {
      guard case .notAssessed? = PassiveSignalMonitor.over(seen).finding("landmark-pixels") else {
        Issue.record("it was assessed")
        continue
      }
    }
    #expect(ToneSettings(smallestCorrelation: 1) == nil && ToneSettings(minimumViews: 0) == nil)
    #expect(ToneSettings(largestAngle: 4) == nil && ToneSettings(minimumFrames: 3) == nil)
  }
}
