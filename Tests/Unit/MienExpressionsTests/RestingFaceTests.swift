import MienExpressions
import MienCore
import Testing

/// Detection relative to the subject's own face at rest.
@Suite struct `Resting face` {
  private func performed(_ actor: Actor, by settings: ExpressionSettings? = nil) -> [FaceExpression] {
    var detector = ExpressionDetector(settings: settings ?? .standard(actor.source))
    return detector.process(all: actor.samples).map(\.expression)
  }

  @Test func `a face that is never neutral by its values performs without a calibration`() {
    var actor = Actor()
    actor.rest = [
      .browInnerUp: 0.42, .eyeBlinkLeft: 0.35, .eyeBlinkRight: 0.3, .mouthSmileLeft: 0.45, .mouthSmileRight: 0.4,
    ]
    actor.neutral(0.5)
    for step in [FaceExpression.winkLeft, .surprise, .winkRight] { actor.perform(step) }
    actor.hold([.mouthSmileLeft: 0.9, .mouthSmileRight: 0.9], 0.6)
    #expect(performed(actor) == [.winkLeft, .surprise, .winkRight, .smile])
  }

  @Test func `full lips at rest are no smooch, and can make one`() {
    var actor = Actor(source: .tracker)
    actor.rest = [.mouthPucker: 0.8]
    actor.neutral(2)
    // The lips part for a moment, and come back to rest.
    actor.rest = [:]
    actor.hold([:], 0.5)
    actor.rest = [.mouthPucker: 0.8]
    actor.neutral(2)
    #expect(performed(actor).isEmpty)
    actor.hold([.mouthPucker: 0.98], 0.8)
    #expect(performed(actor) == [.smooch])
  }

  @Test func `lips that are rounded while talking, or pressed in, are no smooch`() {
    let shapes: [([BlendshapeName: Float], Double)] = [
      ([.mouthPucker: 0.95, .jawOpen: 0.05], 0.5), ([.mouthPucker: 0.95, .jawOpen: 0.2], 2),
      ([.mouthPucker: 0.95, .mouthRollLower: 0.6], 2), ([.mouthPucker: 0.95, .mouthSmileLeft: 0.4], 2),
    ]
    for (shape, seconds) in shapes {
      var actor = Actor(source: .tracker)
      actor.neutral(0.5)
      actor.hold(shape, seconds)
      actor.neutral()
      #expect(performed(actor).isEmpty, "\(shape.keys)")
    }
  }

  @Test func `a wink inside a smile is a wink`() {
    for (closed, expression) in [(BlendshapeName.eyeBlinkLeft, FaceExpression.winkLeft), (.eyeBlinkRight, .winkRight)] {
      var actor = Actor(source: .tracker)
      actor.rest = [.eyeBlinkLeft: 0.1, .eyeBlinkRight: 0.12]
      actor.neutral(0.5)
      actor.hold([.mouthSmileLeft: 0.9, .mouthSmileRight: 0.85, closed: 0.38], 0.6)
      #expect(performed(actor) == [expression])
    }
  }

  @Test func `a cheek raised by a one-sided smile is no wink`() {
    var actor = Actor(source: .tracker)
    actor.neutral(0.5)
    actor.hold([.mouthSmileLeft: 0.69, .mouthSmileRight: 0.27, .eyeBlinkLeft: 0.3, .eyeSquintLeft: 0.2], 1)
    #expect(performed(actor).isEmpty)
    actor.neutral()
    actor.hold([.mouthSmileLeft: 0.69, .mouthSmileRight: 0.27, .eyeBlinkLeft: 0.45, .eyeSquintLeft: 0.2], 1)
    #expect(performed(actor) == [.winkLeft])
  }

  @Test func `a surprise shows in the brows or in the eyelids`() {
    for (shape, counts) in [
      ([BlendshapeName.jawOpen: Float(0.5), .browInnerUp: 0.6], true),
      ([.jawOpen: 0.5, .eyeWideLeft: 0.3, .eyeWideRight: 0.25], true), ([.jawOpen: 0.9], false),
      ([.browInnerUp: 0.9, .eyeWideLeft: 0.5, .eyeWideRight: 0.5], false),
    ] {
      var actor = Actor(source: .tracker)
      actor.neutral(0.5)
      actor.hold(shape, 0.6)
      #expect(performed(actor) == (counts ? [.surprise] : []))
    }
  }

  @Test func `a blink at the start does not become the face at rest`() {
    var actor = Actor()
    actor.hold([.eyeBlinkLeft: 0.9, .eyeBlinkRight: 0.9], 0.3)
    actor.neutral(0.7)
    actor.hold([.eyeBlinkLeft: 0.9], 0.6)
    #expect(performed(actor) == [.winkLeft])
  }

  @Test func `a face that begins with a smile can smile once it has relaxed`() {
    var actor = Actor()
    actor.hold([.mouthSmileLeft: 0.9, .mouthSmileRight: 0.9], 1)
    #expect(performed(actor).isEmpty)
    actor.neutral(0.8)
    actor.hold([.mouthSmileLeft: 0.9, .mouthSmileRight: 0.9], 0.6)
    #expect(performed(actor) == [.smile])
  }

  @Test func `a face that turns away interrupts a hold and leaves the face at rest unchanged`() throws {
    var actor = Actor(source: .tracker)
    actor.neutral(0.5)
    actor.hold(Actor.shape(.smile), 0.3)
    let before = actor.samples.count
    // From here on, turned to the side, where the coefficients would be others.
    var shapes = Blendshapes()
    for name in BlendshapeName.allCases { shapes[name] = 0 }
    for pose in [HeadPose(yaw: 29, pitch: 0, roll: 0), HeadPose(yaw: 0, pitch: -21, roll: 40)] {
      let claim = ClientObservation(
        at: .zero + .seconds(actor.time), faceCount: 1, box: nil, pose: pose, blendshapes: shapes)
      actor.samples.append(ExpressionSample(claim, source: .tracker))
      actor.time += actor.interval
    }
    actor.hold(Actor.shape(.smile), 0.3)
    #expect(performed(actor).isEmpty)
    var detector = ExpressionDetector(source: .tracker)
    _ = detector.process(all: Array(actor.samples.prefix(before + 1)))
    #expect(detector.progress.face == .turnedAway && detector.progress.seen == nil)
  }

  @Test func `in performances an unreliable expression neither counts nor passes for another one`() {
    var actor = Actor(source: .tracker)
    actor.neutral(0.5)
    actor.hold([.tongueOut: 0.9, .jawOpen: 0.4, .mouthSmileLeft: 0.9, .mouthSmileRight: 0.9], 1)
    actor.neutral()
    actor.perform(.surprise, 1)
    actor.perform(.winkLeft, 1)
    #expect(performed(actor) == [.tongueOut, .surprise, .winkLeft])
    #expect(performed(actor, by: .performing(.tracker)) == [.winkLeft])
    #expect(ExpressionSettings.performing(.phone) == .standard(.phone))
    #expect(ExpressionSource.tracker.reliable == [.winkLeft, .winkRight, .smile, .smooch])
  }
}
