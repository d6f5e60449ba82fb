import MienTestGenerators
import MienExpressions
import MienCore
import Testing

/// Serialization of performances, and restoration on another clock.
@Suite struct `Expression recognizer state` {
  /// The performance is serialized after every observation, so that every possible point is covered.
  @Test(arguments: ExpressionSource.allCases, 1...6)
  func `a recognizer serialized after every observation gives the same result`(
    _ source: ExpressionSource, _ seed: UInt64
  ) throws {
    var generator = SplitMixGenerator(seed: seed)
    var actor = Actor(fps: Double.random(in: 15...30, using: &generator), source: source)
    actor.noise = 0.03
    actor.rest = [.mouthSmileLeft: 0.2, .mouthSmileRight: 0.15]
    actor.neutral(1.6)
    for step in [FaceExpression.smile, .surprise, .surprise, .winkLeft, .smooch, .tongueOut] {
      actor.perform(step, 1.4)
    }
    let fresh = try #require(SequenceRecognizer(length: 5, settings: .standard(source)))
    var (stayed, moving, shift, largest) = (fresh, fresh, Interval.zero, 0)
    var outcomes: [SequenceRecognizer.Step] = []
    for (index, sample) in actor.samples.enumerated() {
      // Occasionally several faces are visible, or none.
      var seen = sample
      if index % 41 == 9 {
        seen = ExpressionSample(at: sample.at, sight: index.isMultiple(of: 2) ? .noFace : .severalFaces)
      }
      let there = ExpressionSample(at: seen.at + shift, sight: seen.sight)
      let (one, other) = (stayed.process(seen), moving.process(there))
      switch (one, other) {
      case (.recorded(let one), .recorded(let other)), (.sameAsBefore(let one), .sameAsBefore(let other)):
        #expect(one.expression == other.expression && other.began.since(one.began) == shift)
      default: #expect(one == other)
      }
      outcomes.append(one)
      #expect(stayed.progress == moving.progress && stayed.steps == moving.steps)
      let step = Interval.seconds(Double(Int.random(in: -4...8, using: &generator)))
      var written = BinaryStateCoder(writingAt: there.at)
      moving.pass(over: &written)
      largest = max(largest, written.bytes.count)
      var coder = BinaryStateCoder(reading: written.bytes, at: there.at + step)
      moving = fresh
      moving.pass(over: &coder)
      try #require(coder.isReadToTheEnd)
      shift = Interval(nanoseconds: shift.nanoseconds + step.nanoseconds)
    }
    #expect(stayed.isComplete && moving.sequence == stayed.sequence)
    #expect(outcomes.contains { if case .sameAsBefore = $0 { true } else { false } })
    #expect(largest < 400, "\(largest) bytes")
  }

  @Test func `arbitrary bytes decode to a valid state or are rejected`() throws {
    var generator = SplitMixGenerator(seed: 4)
    var actor = Actor()
    actor.neutral(1.2)
    actor.perform(.smile)
    var machine = try #require(SequenceRecognizer(length: 3, settings: .standard(.phone)))
    for sample in actor.samples { _ = machine.process(sample) }
    var coder = BinaryStateCoder(writingAt: .zero)
    machine.pass(over: &coder)
    func read(_ bytes: [UInt8]) -> SequenceRecognizer? {
      var coder = BinaryStateCoder(reading: bytes, at: .zero)
      var machine = SequenceRecognizer(length: 3, settings: .standard(.phone))
      machine?.pass(over: &coder)
      return coder.isReadToTheEnd ? machine : nil
    }
    #expect(read(coder.bytes) == machine)
    for length in coder.bytes.indices { #expect(read(Array(coder.bytes[..<length])) == nil) }
    for _ in 0..<2000 {
      var bytes = coder.bytes
      for _ in 0...2 {
        bytes[.random(in: bytes.indices, using: &generator)] = .random(in: .min ... .max, using: &generator)
      }
      guard var read = read(bytes) else { continue }
      #expect(read.steps.count <= 3 && (read.sequence == nil) == (read.steps.count < 3))
      for sample in actor.samples.suffix(5) { _ = read.process(sample) }
    }
  }
}
