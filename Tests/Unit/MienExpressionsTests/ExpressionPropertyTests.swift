import MienTestGenerators
import MienExpressions
import MienCore
import Testing

@Suite struct `Expression properties` {
  @Test(arguments: ExpressionSource.allCases, 1...20)
  func `any performed sequence is recognized`(_ source: ExpressionSource, _ seed: UInt64) throws {
    var generator = SplitMixGenerator(seed: seed)
    let length = Int.random(in: ExpressionSequence.lengths, using: &generator)
    var steps: [FaceExpression] = []
    while steps.count < length {
      let next = FaceExpression.allCases.randomElement(using: &generator) ?? .smile
      if next != steps.last { steps.append(next) }
    }
    let sequence = try ExpressionSequence(steps)
    var actor = Actor(fps: Double.random(in: 8...60, using: &generator), source: source)
    actor.noise = 0.03
    actor.randomness = generator
    actor.neutral(0.5)
    for step in steps { actor.perform(step, Double.random(in: 0.85...1.2, using: &generator)) }
    var machine = try #require(SequenceRecognizer(length: length, settings: .standard(source)))
    var completed: ExpressionSequence?
    for sample in actor.samples { if case .complete(let done) = machine.process(sample) { completed = done } }
    #expect(completed == sequence && machine.isComplete && machine.steps == steps)
    #expect(SequenceMatch(performed: steps, with: sequence).matches)
    #expect(try ExpressionSequence(text: sequence.text) == sequence)
  }

  @Test(arguments: ExpressionSource.allCases, 1...10)
  func `on any input every counted expression was held and new`(_ source: ExpressionSource, _ seed: UInt64) {
    var generator = SplitMixGenerator(seed: seed &* 77)
    var machine = ExpressionDetector(source: source)
    var time: Int64 = 0
    var last: RecognizedExpression?
    var found = 0
    for _ in 0..<2_000 {
      time += Int64.random(in: -1_000_000...400_000_000, using: &generator)
      var shapes = Blendshapes()
      for name in BlendshapeName.allCases where Int.random(in: 0..<20, using: &generator) > 0 {
        shapes[name] =
          Float.random(in: 0...1, using: &generator) < 0.85 ? 0.1 : Float.random(in: -1...2, using: &generator)
      }
      let claim = ClientObservation(
        at: MonotonicInstant(nanoseconds: time), faceCount: Int.random(in: 0...30, using: &generator) == 0 ? 2 : nil,
        box: nil,
        pose: nil, blendshapes: Int.random(in: 0..<9, using: &generator) == 0 ? nil : shapes)
      if case .performed(let performed) = machine.process(ExpressionSample(claim, source: source)) {
        found += 1
        #expect(performed.at.since(performed.began) >= machine.settings.hold)
        #expect(last.map { performed.began > $0.at } != false)
        #expect(!machine.progress.isNeutralReached && machine.progress.holdShare == 1)
        last = performed
      }
      #expect((0...1).contains(machine.progress.holdShare))
    }
    #expect(found < 10, "noise is not a performance")
  }

  @Test(arguments: 1...10)
  func `winks swap when the face is mirrored`(_ seed: UInt64) {
    var generator = SplitMixGenerator(seed: seed)
    var actor = Actor()
    var mirror = Actor()
    for _ in 0..<40 {
      let (left, right) = (Float.random(in: 0...1, using: &generator), Float.random(in: 0...1, using: &generator))
      for _ in 0..<15 {
        actor.show([.eyeBlinkLeft: left, .eyeBlinkRight: right])
        mirror.show([.eyeBlinkLeft: right, .eyeBlinkRight: left])
      }
      actor.neutral()
      mirror.neutral()
    }
    var machine = ExpressionDetector(source: .phone)
    var other = ExpressionDetector(source: .phone)
    let swapped: [FaceExpression: FaceExpression] = [.winkLeft: .winkRight, .winkRight: .winkLeft]
    #expect(
      machine.process(all: actor.samples).map { swapped[$0.expression] }
        == other.process(all: mirror.samples).map(\.expression)
    )
  }
}
