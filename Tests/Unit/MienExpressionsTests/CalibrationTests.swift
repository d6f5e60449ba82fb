import MienExpressions
import MienCore
import Testing

@Suite struct Calibration {
  /// High resting brows and low resting eyelids, as in some faces.
  static let rest: [BlendshapeName: Float] = [.browInnerUp: 0.42, .eyeBlinkLeft: 0.35, .eyeBlinkRight: 0.3]

  @Test func `a baseline corrects a face that is never neutral at rest`() throws {
    var actor = Actor()
    actor.rest = Self.rest
    actor.neutral(1.5)
    let still = actor.samples.count
    actor.perform(.smile)
    actor.perform(.winkLeft)
    var plain = ExpressionDetector(source: .phone)
    #expect(plain.process(all: actor.samples).isEmpty, "it is never neutral")
    var calibration = try #require(BaselineCalibrator())
    for sample in actor.samples.prefix(still) { calibration.process(sample) }
    let baseline = try #require(calibration.baseline)
    #expect(calibration.progress == 1)
    var machine = ExpressionDetector(source: .phone, baseline: baseline)
    #expect(machine.process(all: actor.samples).map(\.expression) == [.smile, .winkLeft])
  }

  @Test func `a performance measures the baseline first`() throws {
    var actor = Actor()
    actor.rest = Self.rest
    actor.neutral(1.5)
    for step in [FaceExpression.smile, .winkRight, .smooch] { actor.perform(step) }
    var machine = try #require(
      SequenceRecognizer(length: 3, settings: .standard(.phone), calibration: BaselineCalibrator()))
    #expect(machine.isCalibrating)
    for sample in actor.samples { _ = machine.process(sample) }
    #expect(machine.sequence?.steps == [.smile, .winkRight, .smooch])
    machine.reset()
    #expect(machine.steps.isEmpty && !machine.isCalibrating)
  }

  @Test func `progress reports the face during and after the baseline measurement`() throws {
    var machine = try #require(
      SequenceRecognizer(length: 3, settings: .standard(.phone), calibration: BaselineCalibrator()))
    #expect(machine.progress.face == .noFace)
    var actor = Actor()
    // A moving mouth is not neutral, but still a face.
    actor.hold([.jawOpen: 0.6], 0.2)
    actor.empty(.severalFaces, 0.2)
    actor.empty(.noFace, 0.2)
    actor.neutral(1.5)
    for sample in actor.samples {
      _ = machine.process(sample)
      let expected: ExpressionProgress.Face =
        switch sample.sight {
        case .face: .oneFace
        case .noFace: .noFace
        case .severalFaces: .severalFaces
        }
      #expect(machine.progress.face == expected)
    }
    #expect(!machine.isCalibrating)
  }

  @Test func `a blink does not disturb the baseline`() throws {
    var actor = Actor()
    actor.neutral(0.5)
    actor.hold([.eyeBlinkLeft: 0.9, .eyeBlinkRight: 0.9], 0.15)
    actor.neutral(0.6)
    var calibration = try #require(BaselineCalibrator())
    for sample in actor.samples { calibration.process(sample) }
    let baseline = try #require(calibration.baseline)
    // If the blink had been included, the threshold of a wink would have changed.
    actor = Actor()
    actor.neutral()
    actor.hold([.eyeBlinkLeft: 0.82], 0.6)
    var machine = ExpressionDetector(source: .phone, baseline: baseline)
    #expect(machine.process(all: actor.samples).map(\.expression) == [.winkLeft])
  }

  @Test func `a moving, talking or lost face restarts the baseline`() throws {
    var talking = Actor()
    for word in 0..<20 { talking.hold([.jawOpen: word % 2 == 0 ? 0.1 : 0.5], 0.2) }
    var lost = Actor()
    for _ in 0..<5 {
      lost.neutral(0.8)
      lost.empty(.noFace, 0.1)
    }
    var gaps = Actor()
    for _ in 0..<5 {
      gaps.neutral(0.7)
      gaps.time += 2
    }
    for actor in [talking, lost, gaps] {
      var calibration = try #require(BaselineCalibrator())
      for sample in actor.samples { calibration.process(sample) }
      #expect(calibration.baseline == nil)
    }
    #expect(BaselineCalibrator(length: .zero) == nil && BaselineCalibrator(largestStray: 3) == nil)
  }
}
