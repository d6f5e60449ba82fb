import MienExpressions
import MienCore
import Testing

@Suite struct `Expression detector` {
  @Test(arguments: ExpressionSource.allCases, FaceExpression.allCases)
  func `a held expression counts once`(_ source: ExpressionSource, _ expression: FaceExpression) throws {
    for fps in [10.0, 15, 24, 30, 60] {
      var actor = Actor(fps: fps, source: source)
      actor.neutral()
      actor.perform(expression, 2)
      var machine = ExpressionDetector(source: source)
      let performed = machine.process(all: actor.samples)
      #expect(performed.map(\.expression) == [expression], "\(fps) frames a second")
      let first = try #require(performed.first)
      let hold = Double(source == .tracker && expression == .smooch ? 600 : 400)
      #expect(first.at.since(first.began) >= .milliseconds(hold))
      #expect(first.at.since(first.began) <= .milliseconds(hold + 1010 / fps))
    }
  }

  @Test(arguments: FaceExpression.allCases)
  func `an expression that is too short does not count`(_ expression: FaceExpression) {
    var actor = Actor()
    actor.neutral()
    for _ in 0..<5 { actor.perform(expression, 0.36) }
    var machine = ExpressionDetector(source: .phone)
    #expect(machine.process(all: actor.samples).isEmpty)
  }

  @Test(arguments: FaceExpression.allCases)
  func `without a neutral face between them the second expression does not count`(_ expression: FaceExpression) throws {
    let next = try #require(FaceExpression.allCases.first { $0 != expression && $0 != .tongueOut })
    var actor = Actor()
    actor.neutral()
    actor.hold(Actor.shape(expression), 0.6)
    actor.hold(Actor.shape(next), 1)
    var machine = ExpressionDetector(source: .phone)
    #expect(machine.process(all: actor.samples).map(\.expression) == [expression])
    #expect(!machine.progress.isNeutralReached)
    actor.neutral()
    actor.perform(next)
    machine = ExpressionDetector(source: .phone)
    #expect(machine.process(all: actor.samples).map(\.expression) == [expression, next])
  }

  @Test func `a face that starts with an expression must relax first`() {
    var actor = Actor()
    actor.hold(Actor.shape(.smile), 2)
    var machine = ExpressionDetector(source: .phone)
    #expect(machine.process(all: actor.samples).isEmpty)
    #expect(machine.state == .awaitingNeutral && !machine.progress.isNeutralReached)
  }

  @Test func `sides are the subject's`() {
    for (shut, expression) in [(BlendshapeName.eyeBlinkLeft, FaceExpression.winkLeft), (.eyeBlinkRight, .winkRight)] {
      var actor = Actor()
      actor.neutral()
      actor.hold([shut: 0.95], 0.5)
      var machine = ExpressionDetector(source: .phone)
      #expect(machine.process(all: actor.samples).map(\.expression) == [expression])
    }
  }

  @Test(arguments: ExpressionSource.allCases)
  func `closing both eyes is not a wink`(_ source: ExpressionSource) {
    var actor = Actor(source: source)
    actor.neutral()
    actor.hold([.eyeBlinkLeft: 0.9, .eyeBlinkRight: 0.75], 2)
    var machine = ExpressionDetector(source: source)
    #expect(machine.process(all: actor.samples).isEmpty)
  }

  @Test func `thresholds match the original application`() {
    let rows: [(FaceExpression, [BlendshapeName: Float], BlendshapeName, Float)] = [
      (.tongueOut, [:], .tongueOut, 0.3), (.winkLeft, [.eyeBlinkRight: 0.1], .eyeBlinkLeft, 0.8),
      (.winkRight, [.eyeBlinkLeft: 0.1], .eyeBlinkRight, 0.8), (.smooch, [:], .cheekPuff, 0.5),
      (.smooch, [:], .mouthPucker, 0.5), (.surprise, [.browInnerUp: 0.9], .jawOpen, 0.5),
      (.surprise, [.jawOpen: 0.9], .browInnerUp, 0.5), (.smile, [.mouthSmileRight: 0.9], .mouthSmileLeft, 0.6),
      (.smile, [.mouthSmileLeft: 0.9], .mouthSmileRight, 0.6),
    ]
    for (expression, rest, name, level) in rows {
      // The face at rest is at 0.02.
      for (value, counts) in [(level - 0.01, false), (level + 0.03, true)] {
        var actor = Actor()
        actor.neutral()
        actor.hold(rest.merging([name: value]) { $1 }, 0.6)
        var machine = ExpressionDetector(source: .phone)
        #expect(
          machine.process(all: actor.samples).map(\.expression) == (counts ? [expression] : []), "\(name) \(value)")
      }
    }
    for (open, counts) in [(Float(0.29), true), (0.33, false)] {
      var actor = Actor()
      actor.neutral()
      actor.hold([.eyeBlinkLeft: 0.95, .eyeBlinkRight: open], 0.6)
      var machine = ExpressionDetector(source: .phone)
      #expect(machine.process(all: actor.samples).isEmpty != counts)
    }
  }

  @Test func `noise around a level does not break a hold`() {
    var actor = Actor()
    actor.neutral()
    for frame in 0..<20 { actor.show([.mouthSmileLeft: frame % 2 == 0 ? 0.63 : 0.57, .mouthSmileRight: 0.8]) }
    var machine = ExpressionDetector(source: .phone)
    #expect(machine.process(all: actor.samples).map(\.expression) == [.smile])
    actor = Actor()
    actor.neutral()
    for frame in 0..<20 { actor.show([.mouthSmileLeft: frame % 2 == 0 ? 0.63 : 0.47, .mouthSmileRight: 0.8]) }
    machine = ExpressionDetector(source: .phone)
    #expect(machine.process(all: actor.samples).isEmpty, "the hold ends below the release level")
  }

  @Test func `a hold does not span a gap in the recording`() {
    var actor = Actor()
    actor.neutral()
    actor.hold(Actor.shape(.smile), 0.2)
    actor.time += 5
    actor.hold(Actor.shape(.smile), 0.3)
    var machine = ExpressionDetector(source: .phone)
    #expect(machine.process(all: actor.samples).isEmpty)
    actor.hold(Actor.shape(.smile), 0.2)
    machine = ExpressionDetector(source: .phone)
    #expect(machine.process(all: actor.samples).map(\.expression) == [.smile], "it starts again after the gap")
  }

  @Test func `a lost or second face interrupts a hold`() {
    for sight in [ExpressionSample.Sight.noFace, .severalFaces] {
      var actor = Actor()
      actor.neutral()
      actor.hold(Actor.shape(.surprise), 0.3)
      actor.empty(sight, 0.1)
      actor.hold(Actor.shape(.surprise), 0.3)
      var machine = ExpressionDetector(source: .phone)
      #expect(machine.process(all: actor.samples).isEmpty)
    }
  }

  @Test func `observations that are not newer are ignored`() {
    var actor = Actor()
    actor.neutral()
    var machine = ExpressionDetector(source: .phone)
    _ = machine.process(all: actor.samples)
    let before = machine
    for sample in actor.samples { #expect(machine.process(sample) == .ignored) }
    #expect(machine == before)
  }

  @Test func `an unmeasured tongue is unavailable`() {
    var actor = Actor(source: .tracker)
    actor.hold([:], 0.3, without: [.tongueOut])
    var machine = ExpressionDetector(source: .tracker)
    #expect(FaceExpression.allCases.allSatisfy { machine.isAvailable($0) }, "nothing is known before the first face")
    _ = machine.process(all: actor.samples)
    #expect(FaceExpression.allCases.filter { !machine.isAvailable($0) } == [.tongueOut])
    actor.show([:])
    _ = machine.process(actor.samples[actor.samples.count - 1])
    #expect(machine.isAvailable(.tongueOut))
  }

  @Test func `the tracker's cheek puff is ignored`() {
    let rows: [(BlendshapeName, [FaceExpression])] = [(.cheekPuff, []), (.mouthPucker, [.smooch])]
    for (name, performed) in rows {
      var actor = Actor(source: .tracker)
      actor.neutral()
      actor.hold([name: 0.9], 1)
      var machine = ExpressionDetector(source: .tracker)
      #expect(machine.process(all: actor.samples).map(\.expression) == performed)
    }
  }

  @Test func `implausible values are treated as missing`() {
    for wrong in [Float.nan, .infinity, -.infinity, 7, -3] {
      var actor = Actor()
      actor.neutral()
      actor.hold([.mouthPucker: wrong, .cheekPuff: wrong, .tongueOut: wrong], 1)
      var machine = ExpressionDetector(source: .phone)
      #expect(machine.process(all: actor.samples).isEmpty)
    }
  }

  @Test func `progress reports the expression, the hold and the return to neutral`() {
    var actor = Actor(fps: 10)
    actor.neutral(0.4)
    actor.hold(Actor.shape(.smooch), 0.6)
    actor.show([:])
    var machine = ExpressionDetector(source: .phone)
    var shown: [ExpressionProgress] = []
    for sample in actor.samples {
      _ = machine.process(sample)
      shown.append(machine.progress)
    }
    #expect(shown.map(\.seen) == [nil, nil, nil, nil, .smooch, .smooch, .smooch, .smooch, .smooch, .smooch, nil])
    #expect(shown.map(\.isNeutralReached) == [false, false, true, true, true, true, true, true, false, false, true])
    let shares: [Float] = [0, 0, 0, 0, 0, 0.25, 0.5, 0.75, 1, 0, 0]
    #expect(zip(shown, shares).allSatisfy { abs($0.holdShare - $1) < 0.01 })
    #expect(shown.allSatisfy { $0.face == .oneFace })
  }

  @Test func `invalid settings are rejected`() {
    #expect(HysteresisThreshold(enter: 0.3, release: 0.4) == nil && HysteresisThreshold(enter: .nan, release: 0) == nil)
    #expect(ExpressionSettings(hold: .milliseconds(50)) == nil)
    #expect(ExpressionSettings(neutralMouth: 0) == nil && ExpressionSettings(longestGap: .seconds(9)) == nil)
    #expect(ExpressionSettings(tongue: HysteresisThreshold(enter: 2, release: 1)) == nil)
    #expect(ExpressionSettings() == .standard(.phone))
  }
}
