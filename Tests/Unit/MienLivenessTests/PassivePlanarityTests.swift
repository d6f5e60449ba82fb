import MienLiveness
import MienCore
import Testing

@Suite struct `Passive signals: planarity` {
  @Test(arguments: 1...6) func `a head turning far is not planar and keeps its proportions`(seed: Int) throws {
    var session = PassiveSession(turn: 30, seed: seed)
    session.head.noise = 0.4
    let monitor = PassiveSignalMonitor.over(session.observations)
    let turn = try #require(monitor.finding("planarity-turn"))
    #expect(try #require(turn.measure).native > 0.15)
    #expect(turn.reason == nil)
    #expect(try #require(monitor.finding("planarity-stretch")?.measure).native < 0.06)
    #expect(monitor.finding("planarity-stretch")?.reason == nil)
    #expect(monitor.assessment.outcome != .refused)
  }

  @Test(arguments: 1...6) func `a sheet turning far is planar for any tracked head pose`(seed: Int)
    throws
  {
    var session = PassiveSession(turn: 35, seed: seed)
    session.head.body = .sheet
    session.head.noise = 0.4
    let turn = try #require(PassiveSignalMonitor.over(session.observations).finding("planarity-turn"))
    #expect(turn.reason == "turns-like-a-plane")
    #expect(try #require(turn.measure).native < 0.1)
  }

  /// Behavior of the real tracker with a photo: it becomes narrower, and hardly any rotation is reported.
  @Test(arguments: 1...6) func `a sheet whose turn the tracker misses is stretched`(seed: Int) throws {
    var session = PassiveSession(turn: 50, seed: seed)
    session.head.body = .sheet
    session.head.noise = 0.4
    session.reported = 0.15
    let monitor = PassiveSignalMonitor.over(session.observations)
    #expect(monitor.finding("planarity-stretch")?.reason == "stretches-like-a-sheet")
    guard case .notAssessed(.tooFewFrames) = monitor.finding("planarity-turn") else {
      Issue.record("a turn that is too small must not be assessed")
      return
    }
  }

  @Test func `a small turn is not assessed`() throws {
    let monitor = PassiveSignalMonitor.over(PassiveSession(turn: 8).observations)
    #expect(monitor.finding("planarity-turn")?.measure == nil)
    #expect(monitor.finding("planarity-stretch")?.measure != nil)
  }

  @Test func `mirrored footage gives the same measures`() throws {
    let session = PassiveSession(turn: 15).observations
    let mirrored = try session.map { observation in
      var other = observation
      let points = try #require(observation.face).landmarks.points.map { SIMD3(1 - $0.x, $0.y, $0.z) }
      other.face?.landmarks = try #require(Landmarks(points))
      other.face?.pose.yaw *= -1
      return other
    }
    let (one, two) = (PassiveSignalMonitor.over(session), PassiveSignalMonitor.over(mirrored))
    // The landmarks are not exchanged between sides, but planes and heads keep their properties.
    for check in ["planarity-stretch", "movement-stillness", "eyelid-motion", "same-face"] {
      let (a, b) = try (#require(one.finding(check)?.measure), #require(two.finding(check)?.measure))
      #expect(abs(a.native - b.native) < 1e-3, "\(check)")
    }
  }
}
