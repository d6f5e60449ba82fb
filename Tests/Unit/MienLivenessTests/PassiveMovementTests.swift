import MienLiveness
import MienCore
import Testing

@Suite struct `Passive signals: movement` {
  @Test(arguments: 1...4) func `a mounted image is too still and a person at rest is not`(seed: Int) throws {
    var stand = PassiveSession(sway: 0, blinks: false, seed: seed)
    stand.head.noise = 0.3
    let still = PassiveSignalMonitor.over(stand.observations)
    #expect(still.finding("movement-stillness")?.reason == "too-still")
    #expect(still.assessment.outcome == .refused)
    var person = PassiveSession(sway: 0.5, seed: seed)
    person.head.noise = 0.3
    #expect(try #require(PassiveSignalMonitor.over(person.observations).finding("movement-stillness")).reason == nil)
  }

  @Test(arguments: 1...4) func `a shaken image and reordered frames are jerky`(seed: Int) throws {
    var generator = SeededGenerator(seed)
    let shaken = PassiveSession(seed: seed).observations.indices.map { index in
      var head = PassiveHead()
      head.place.x = 0.4 * generator.normal()
      head.place.y = 0.4 * generator.normal()
      return head.observation(at: .after(Double(index) / 15), generator: &generator)
    }
    #expect(PassiveSignalMonitor.over(shaken).finding("movement-jerkiness")?.reason == "zigzag")
    var lively = PassiveSession(turn: 25, sway: 3, seed: seed).observations
    for block in stride(from: 0, to: lively.count - 6, by: 6) { lively[block..<block + 6].shuffle(using: &generator) }
    #expect(PassiveSignalMonitor.over(lively.resent()).finding("movement-jerkiness")?.reason == "zigzag")
  }

  @Test(arguments: [1.0, 2.0, 2.5]) func `quick nods are natural movement`(hertz: Double) throws {
    var generator = SeededGenerator(1)
    let nods = (0..<90).map { index in
      var head = PassiveHead()
      let turns = hertz * Double(index) / 15
      let triangle = abs((turns - turns.rounded(.down)) * 4 - 2) - 1
      head.pitch = Float(12 * triangle)
      head.place.y = Float(2 * triangle)
      head.noise = 0.3
      return head.observation(at: .after(Double(index) / 15), generator: &generator)
    }
    #expect(try #require(PassiveSignalMonitor.over(nods).finding("movement-jerkiness")).reason == nil)
  }

  @Test func `jerkiness is not assessed at too low a frame rate`() throws {
    let slow = PassiveSession(rate: 5).observations
    #expect(PassiveSignalMonitor.over(slow).finding("movement-jerkiness") == .notAssessed(.tooFewFrames(0)))
    #expect(PassiveSignalMonitor.over(slow).finding("movement-stillness")?.measure != nil)
  }

  @Test func `static eyelids are rigid, one blink suffices and a one-frame glitch does not`() throws {
    let blinking = PassiveSignalMonitor.over(PassiveSession().observations)
    #expect(try #require(blinking.finding("eyelid-motion")).reason == nil)
    var painted = PassiveSession(blinks: false).observations
    #expect(PassiveSignalMonitor.over(painted).finding("eyelid-motion")?.reason == "eyelids-rigid")
    painted[40].face?.blendshapes[.eyeBlinkLeft] = 0.9
    painted[40].face?.blendshapes[.eyeBlinkRight] = 0.9
    #expect(PassiveSignalMonitor.over(painted).finding("eyelid-motion")?.reason == "eyelids-rigid")
    painted[41].face?.blendshapes[.eyeBlinkLeft] = 0.9
    #expect(PassiveSignalMonitor.over(painted).finding("eyelid-motion")?.reason == "eyelids-rigid", "a wink of one eye")
    painted[41].face?.blendshapes[.eyeBlinkRight] = 0.9
    #expect(try #require(PassiveSignalMonitor.over(painted).finding("eyelid-motion")).reason == nil)
  }

  @Test func `eyelids are not assessed without coefficients or in a short session`() throws {
    var bare = PassiveSession().observations
    for index in bare.indices { bare[index].face?.blendshapes = Blendshapes() }
    #expect(PassiveSignalMonitor.over(bare).finding("eyelid-motion") == .notAssessed(.tooFewFrames(0)))
    let short = PassiveSession(frames: 100, rate: 30).observations
    #expect(PassiveSignalMonitor.over(short).finding("eyelid-motion")?.measure == nil)
  }

  @Test(arguments: 1...4) func `another face changes the proportions even after a gap`(seed: Int) throws {
    var first = PassiveSession(frames: 45, turn: 10, seed: seed)
    first.head.noise = 0.4
    var second = first
    second.head.build = SIMD3(1.18, 0.9, 1.2)
    second.seed = seed + 50
    let same = PassiveSignalMonitor.over(first.observations + first.observations.map { $0 })
    #expect(try #require(same.finding("same-face")).reason == nil)
    let gap = FaceObservation(
      at: .after(3), frameWidth: 640, frameHeight: 480, brightness: 100, faceCount: 0, face: nil)
    for between in [[], [gap, gap, gap]] {
      let swapped = PassiveSignalMonitor.over(first.observations + between + second.observations)
      #expect(swapped.finding("same-face")?.reason == "face-changed")
    }
  }
}
