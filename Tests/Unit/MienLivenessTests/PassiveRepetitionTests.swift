import MienLiveness
import MienCore
import Testing

@Suite struct `Passive signals: repeated frames` {
  private func session(_ seed: Int, frames: Int = 90, noise: Float = 0.2) -> [FaceObservation] {
    var session = PassiveSession(frames: frames, turn: 12, seed: seed)
    session.head.noise = noise
    return session.observations
  }

  @Test(arguments: 1...4) func `a continuous session has no repetition`(seed: Int) throws {
    let finding = try #require(PassiveSignalMonitor.over(session(seed, frames: 300)).finding("frames-repeated"))
    #expect(finding.reason == nil)
  }

  @Test(arguments: 1...4) func `an exact or re-encoded loop is detected`(seed: Int) throws {
    let part = Array(session(seed).prefix(24))
    let loop = (part + part + part).resent()
    #expect(PassiveSignalMonitor.over(loop).finding("frames-repeated")?.reason == "frames-repeated")
    // Same movements with different tracking noise.
    var noisy = PassiveSession(frames: 24, turn: 12, seed: seed)
    noisy.head.noise = 0
    let clean = noisy.observations
    var generator = SeededGenerator(seed + 100)
    let anew = try (clean + clean + clean).map { observation in
      var other = observation
      let points = try #require(observation.face).landmarks.points.map { point in
        SIMD3(point.x + 0.2 * generator.normal() / 640, point.y + 0.2 * generator.normal() / 480, point.z)
      }
      other.face?.landmarks = try #require(Landmarks(points))
      return other
    }.resent()
    #expect(PassiveSignalMonitor.over(anew).finding("frames-repeated")?.reason == "frames-repeated")
  }

  @Test(arguments: 1...4) func `footage played forward and backward is detected`(seed: Int) throws {
    let part = Array(session(seed).prefix(40))
    let finding = PassiveSignalMonitor.over((part + part.reversed()).resent()).finding("frames-repeated")
    #expect(finding?.reason == "frames-mirrored")
  }

  @Test func `a resting face and slow drift are not a repetition`() throws {
    var rest = PassiveSession(frames: 300, sway: 0.02, blinks: false)
    rest.head.noise = 0.3
    #expect(try #require(PassiveSignalMonitor.over(rest.observations).finding("frames-repeated")).reason == nil)
    var generator = SeededGenerator(3)
    let drift = (0..<300).map { index in
      var head = PassiveHead()
      head.place.x = Float(index) * 0.02
      head.noise = 0.2
      return head.observation(at: .after(Double(index) / 15), generator: &generator)
    }
    #expect(try #require(PassiveSignalMonitor.over(drift).finding("frames-repeated")).reason == nil)
  }

  @Test func `a loop slightly shorter than the buffer is detected and a longer one is not`() throws {
    let memory = try #require(RepetitionSettings(memory: 32))
    let standard = PassiveSettings.recording
    let settings = PassiveSettings(
      repetition: memory, timing: nil, movement: standard.movement, eyelids: standard.eyelids,
      stretch: standard.stretch, turnPlane: standard.turnPlane, continuity: standard.continuity,
      screenOrPrint: standard.screenOrPrint, cuts: standard.cuts)
    let frames = session(4, frames: 40)
    #expect(PassiveSignalMonitor.over((frames + frames).resent(), settings).finding("frames-repeated")?.reason == nil)
    let short = Array(frames.prefix(28))
    #expect(
      PassiveSignalMonitor.over((short + short).resent(), settings).finding("frames-repeated")?.reason
        == "frames-repeated")
  }
}
