import MienLiveness
import MienCore
import Testing

@Suite struct `Passive signals: screens and prints` {
  private static let check = "screen-or-print"

  /// Returns a session in which every third frame has a reading.
  private static func session(_ frames: Int = 90, reading: (Int) -> RecaptureReading) -> [FaceObservation] {
    var session = PassiveSession()
    session.frames = frames
    session.turn = 12
    return session.observations.enumerated().map { index, observation in
      var observation = observation
      observation.recapture = index % 3 == 0 ? reading(index / 3) : nil
      return observation
    }
  }

  private static func finding(_ observations: [FaceObservation]) throws -> Finding.Result {
    try #require(PassiveSignalMonitor.over(observations).finding(check))
  }

  @Test func `frames that look like a screen make the session doubtful but do not refuse it`() throws {
    let seen = Self.session { .score($0 % 2 == 0 ? 2 : 1) }
    let finding = try Self.finding(seen)
    #expect(finding.reason == "looks-recaptured")
    #expect(finding.measure?.native == 1.5)
    #expect(PassiveSignalMonitor.over(seen).assessment.outcome == .doubtful)
    #expect(!PassiveAssessment.refusing.contains(Self.check))
  }

  @Test func `the mean of a session decides, not a few frames`() throws {
    let finding = try Self.finding(Self.session { .score($0 < 5 ? 100 : -2) })
    #expect(finding.reason == nil && finding.measure != nil)
    #expect(try #require(finding.measure).native < -1)
  }

  @Test func `too few, small or compressed frames are not assessed`() throws {
    #expect(try Self.finding(Self.session(18) { _ in .score(3) }) == .notAssessed(.tooFewFrames(6)))
    #expect(try Self.finding(Self.session { _ in .tooSmall }) == .notAssessed(.imageTooSmall))
    #expect(try Self.finding(Self.session { _ in .tooCompressed }) == .notAssessed(.imageTooCompressed))
    let mixed = Self.session { $0 < 10 ? .score(3) : $0 % 4 == 0 ? .tooSmall : .tooCompressed }
    #expect(try Self.finding(mixed) == .notAssessed(.imageTooCompressed))
    #expect(try Self.finding(Self.session { _ in .score(.nan) }) == .notAssessed(.tooFewFrames(0)))
  }

  @Test func `frames with several faces or none do not count`() throws {
    var seen = Self.session { _ in .score(3) }
    for index in seen.indices {
      if index % 2 == 0 { seen[index].faceCount = 2 } else { seen[index].face = nil }
    }
    #expect(try Self.finding(seen) == .notAssessed(.tooFewFrames(0)))
  }

  @Test func `the mean continues after a restart`() throws {
    let seen = Self.session { .score(Float($0 % 7) - 2) }
    for cut in [0, 1, 20, 89] {
      var monitor = PassiveSignalMonitor(settings: .live)
      for observation in seen[..<cut] { monitor.process(observation) }
      var writer = BinaryStateCoder(writingAt: .zero)
      writer.pass(&monitor)
      var restored = PassiveSignalMonitor(settings: .live)
      var reader = BinaryStateCoder(reading: writer.bytes, at: .zero)
      reader.pass(&restored)
      #expect(reader.isReadToTheEnd)
      for observation in seen[cut...] { restored.process(observation) }
      #expect(restored.finding(Self.check) == PassiveSignalMonitor.over(seen).finding(Self.check))
    }
  }

  @Test func `settings outside their ranges are rejected`() {
    #expect(ScreenOrPrintSettings() != nil)
    #expect(ScreenOrPrintSettings(threshold: 2, worst: 1) == nil)
    #expect(ScreenOrPrintSettings(threshold: -2, calm: -1) == nil)
    #expect(ScreenOrPrintSettings(threshold: .nan) == nil)
    #expect(ScreenOrPrintSettings(largestScore: 0) == nil)
    #expect(ScreenOrPrintSettings(minimumFrames: 3) == nil)
  }
}
