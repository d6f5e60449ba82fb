import MienCore
import MienFaceMatch
import Testing

@Suite struct `One-person monitor` {
  /// A template at an angle (by its cosine) to the first axis.
  private static func template(_ cosine: Float, axis: Int = 1) throws -> FaceTemplate {
    var values = [Float](repeating: 0, count: FaceTemplate.count)
    values[0] = cosine
    values[axis] = (1 - cosine * cosine).squareRoot()
    return try #require(FaceTemplate(values))
  }

  private static func monitor(_ cosines: [Float]) throws -> OnePersonMonitor {
    var monitor = OnePersonMonitor()
    for (index, cosine) in cosines.enumerated() {
      monitor.process(
        try template(cosine), quality: Float(index), at: MonotonicInstant(nanoseconds: Int64(index) * 300_000_000))
    }
    return monitor
  }

  @Test func `one person is genuine, with its measure`() throws {
    let finding = try Self.monitor([1, 0.9, 0.6, 0.8]).finding
    guard case .genuine(let measure) = finding.result else { throw Expectation(finding) }
    #expect(
      measure.native > 0.5 && measure.native < 1 && measure.score.value > 0.5
        && measure.calibration.contains(FaceTemplate.model))
  }

  @Test func `another person from the middle on is suspect`() throws {
    let finding = try Self.monitor([1, 0.95, 0.97, 0.02, 0.1, 0.05]).finding
    guard case .suspect(let measure, let reason) = finding.result else { throw Expectation(finding) }
    #expect(measure.score.value < 0.5)
    #expect(reason == OnePersonMonitor.reason)
  }

  @Test func `a person who returns after two frames of another is suspect, too`() throws {
    let finding = try Self.monitor([1, 0.95, 0.02, 0.1, 0.95, 0.97]).finding
    guard case .suspect = finding.result else { throw Expectation(finding) }
  }

  @Test func `one bad frame is no change, and does not describe the person`() throws {
    let monitor = try Self.monitor([1, 0.95, 0.02, 0.9, 0.92])
    guard case .genuine = monitor.finding.result else { throw Expectation(monitor.finding) }
    #expect(monitor.best.count == 4)
    let reference = try Self.template(1)
    #expect(monitor.best.allSatisfy { $0.similarity(to: reference) > 0.8 })
  }

  @Test func `too few frames are not assessed`() throws {
    #expect(try Self.monitor([]).finding.result == .notAssessed(.tooFewFrames(0)))
    #expect(try Self.monitor([1, 1]).finding.result == .notAssessed(.tooFewFrames(2)))
  }

  @Test func `the best frames are kept, best first`() throws {
    let monitor = try Self.monitor([1, 0.9, 0.8, 0.95, 0.85, 0.92, 0.97])
    #expect(monitor.best.count == 5)
    // Quality rises with the index.
    #expect(monitor.best.first == (try Self.template(0.97)))
  }

  @Test func `frames are due at regular intervals, and a restart discards them`() throws {
    var monitor = try Self.monitor([1, 0.9, 0.95])
    let last = MonotonicInstant(nanoseconds: 600_000_000)
    #expect(!monitor.isDue(at: last + .milliseconds(299)) && monitor.isDue(at: last + .milliseconds(300)))
    monitor.restart()
    #expect(monitor.best.isEmpty && monitor.isDue(at: last))
    #expect(monitor.finding.result == .notAssessed(.tooFewFrames(0)))
  }

  @Test func `the state is restored, and a damaged one is refused`() throws {
    var monitor = try Self.monitor([1, 0.9, 0.05, 0.95, 0.9])
    let now = MonotonicInstant(nanoseconds: 2_000_000_000)
    var writer = BinaryStateCoder(writingAt: now)
    writer.pass(&monitor)
    var copy = OnePersonMonitor()
    var reader = BinaryStateCoder(reading: writer.bytes, at: now)
    reader.pass(&copy)
    #expect(reader.isReadToTheEnd && copy.finding == monitor.finding && copy.best == monitor.best)
    // The copy continues as the original does.
    for value in [Float(0.1), 0.05] {
      monitor.process(try Self.template(value), quality: 1, at: now)
      copy.process(try Self.template(value), quality: 1, at: now)
    }
    #expect(copy.finding == monitor.finding)
    for length in stride(from: 0, to: writer.bytes.count, by: 7) {
      var broken = OnePersonMonitor()
      var coder = BinaryStateCoder(reading: Array(writer.bytes.prefix(length)), at: now)
      coder.pass(&broken)
      #expect(!coder.isReadToTheEnd)
    }
  }

  @Test func `the comparison with a reference is the median, and never decided on two frames`() throws {
    let reference = try Self.template(1)
    let frames = try [0.9, 0.8, 0.1].map { try Self.template($0) }
    func finding(_ frames: [FaceTemplate]) -> Finding {
      ReferenceMatch.finding(of: frames, against: reference, threshold: .standard)
    }
    guard case .genuine(let measure) = finding(frames).result else { throw Expectation(finding(frames)) }
    #expect(abs(measure.native - 0.8) < 1e-3)
    guard
      case .suspect(let other, ReferenceMatch.reason) = finding(try [0.3, 0.3, 0.9].map { try Self.template($0) })
        .result
    else { throw Expectation(finding(frames)) }
    #expect(abs(other.native - 0.3) < 1e-3)
    #expect(finding(Array(frames.prefix(2))).result == .notAssessed(.tooFewFrames(2)))
    #expect(ReferenceMatch.notLive.result == .notAssessed(.notLive))
  }

  private struct Expectation: Error {
    let finding: Finding
    init(_ finding: Finding) { self.finding = finding }
  }
}
