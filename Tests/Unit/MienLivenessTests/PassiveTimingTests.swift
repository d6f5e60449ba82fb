import MienLiveness
import MienCore
import Testing

@Suite struct `Passive signals: frame timing` {
  private func finding(_ instants: [Int64], _ settings: FrameTimingSettings) -> Finding.Result {
    var detector = FrameTimingDetector(settings)
    for nanoseconds in instants { detector.process(MonotonicInstant(nanoseconds: nanoseconds)) }
    return detector.finding.result
  }

  private let settings = FrameTimingSettings()!

  @Test(arguments: 1...20) func `network frame intervals are not suspiciously regular`(seed: Int) throws {
    var generator = SeededGenerator(seed)
    // As measured on a very stable network: deviations of at least a tenth of a millisecond.
    let instants = (0..<150).map { Int64($0) * 66_666_667 + Int64.random(in: 0..<100_000, using: &generator) }
    let result = finding(instants, settings)
    #expect(result.reason == nil)
    #expect(try #require(result.measure).native < 0.1)
  }

  @Test(arguments: [33_333_333, 66_666_667, 100_000_000] as [Int64])
  func `injected frames at constant intervals are suspect even with sub-microsecond jitter`(
    interval: Int64
  ) throws {
    var generator = SeededGenerator(1)
    #expect(finding((0..<60).map { $0 * interval }, settings).reason == "constant-intervals")
    let nearly = (0..<60).map { $0 * interval + Int64.random(in: 0..<300, using: &generator) }
    #expect(finding(nearly, settings).reason == "constant-intervals")
  }

  @Test func `a burst of all frames is suspect and a stall with queued frames is not`() throws {
    var generator = SeededGenerator(2)
    let burst = (0..<60).map { Int64($0) * 200_000 + Int64.random(in: 0..<50_000, using: &generator) }
    #expect(finding(burst, settings).reason == "impossible-burst")
    #expect(finding(Array(repeating: 5, count: 60), settings).reason == "impossible-burst")
    // Two seconds without a frame, then 25 at once, in a session of 120.
    var stalled: [Int64] = []
    for index in 0..<120 {
      let due = Int64(index) * 66_666_667
      let held = (40..<65).contains(index) ? 65 * 66_666_667 + Int64(index) * 300_000 : due
      stalled.append(held + Int64.random(in: 0..<150_000, using: &generator))
    }
    #expect(finding(stalled.sorted(), settings).reason == nil)
  }

  @Test func `decreasing timestamps are suspect and extreme ones do not trap`() throws {
    var instants = (0..<40).map { Int64($0 * $0) * 1_000_000 }
    instants[20] = 0
    #expect(finding(instants, settings).reason == "time-ran-backwards")
    let wild = (0..<40).map { $0.isMultiple(of: 2) ? Int64.min : Int64.max }
    #expect(finding(wild, settings).reason == "time-ran-backwards")
  }

  @Test func `few frames are not assessed and a recording has no timing finding`() throws {
    #expect(finding([0, 1, 2], settings) == .notAssessed(.tooFewFrames(2)))
    #expect(finding([], settings) == .notAssessed(.tooFewFrames(0)))
    let seen = PassiveSession().observations
    #expect(PassiveSignalMonitor.over(seen, .recording).finding("frame-timing") == nil)
    #expect(PassiveSignalMonitor.over(seen, .live).finding("frame-timing")?.measure != nil)
    #expect(PassiveSignalMonitor.over(seen.resent(), .live).finding("frame-timing")?.reason == "constant-intervals")
  }
}
