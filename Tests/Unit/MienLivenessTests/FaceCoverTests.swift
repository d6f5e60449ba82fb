import MienCore
import MienLiveness
import Testing

@Suite struct `Covered faces` {
  private static func observation(
    _ contrast: FaceContrast?, at seconds: Double, yaw: Float = 0, faces: Int = 1
  ) -> FaceObservation {
    var observation = FaceObservation(
      at: .after(seconds), frameWidth: 640, frameHeight: 480, brightness: 120, faceCount: faces, face: nil,
      contrast: contrast)
    if let presence = Score(1), let landmarks = Landmarks(.init(repeating: .zero, count: Landmarks.count)) {
      observation.face = ObservedFace(
        box: Footage.box, presence: presence, pose: HeadPose(yaw: yaw, pitch: 0, roll: 0), blendshapes: Blendshapes(),
        landmarks: landmarks)
    }
    return observation
  }

  private static let free = FaceContrast(eyes: 0.1, mouth: 0.09, acrossMouth: 0.07, lipRedness: 6)
  private static let mask = FaceContrast(eyes: 0.1, mouth: 0.01, acrossMouth: 0.006, lipRedness: 0)
  private static let hand = FaceContrast(eyes: 0.1, mouth: 0.04, acrossMouth: 0.03, lipRedness: -4)
  private static let glasses = FaceContrast(eyes: 0.01, mouth: 0.09, acrossMouth: 0.07, lipRedness: 6)
  private static let palm = FaceContrast(eyes: 0.05, mouth: 0.1, acrossMouth: 0.08, lipRedness: 6)

  private func isCovered(_ contrasts: [FaceContrast?], yaw: Float = 0) -> Bool {
    var detector = FaceCoverDetector()
    for (index, contrast) in contrasts.enumerated() {
      detector.process(Self.observation(contrast, at: Double(index) / 10, yaw: yaw))
    }
    return detector.isCovered
  }

  @Test(arguments: [mask, hand, glasses, palm]) func `a cover is recognized within a second`(_ cover: FaceContrast) {
    #expect(isCovered([FaceContrast?](repeating: cover, count: 5)))
    #expect(!isCovered([FaceContrast?](repeating: cover, count: 4)), "a blink or a gesture is not a cover")
    #expect(!isCovered([FaceContrast?](repeating: cover, count: 10), yaw: 30), "a turned head is not assessed")
    #expect(!isCovered([FaceContrast?](repeating: cover, count: 10) + [FaceContrast?](repeating: Self.free, count: 4)))
  }

  @Test func `free, small and several faces are not covered`() {
    #expect(!isCovered([FaceContrast?](repeating: Self.free, count: 20)))
    #expect(!isCovered([FaceContrast?](repeating: nil, count: 20)))
    // A low-contrast image has little structure everywhere.
    let dull = FaceContrast(eyes: 0.05, mouth: 0.035, acrossMouth: 0.02, lipRedness: 2)
    #expect(!isCovered([FaceContrast?](repeating: dull, count: 20)))
    var detector = FaceCoverDetector()
    for index in 0..<20 { detector.process(Self.observation(Self.mask, at: Double(index) / 10, faces: 2)) }
    #expect(!detector.isCovered)
  }

  @Test func `advice for covered faces and for people behind`() {
    var observation = Self.observation(Self.mask, at: 0)
    let advice = FramingAdvice()
    #expect(advice.hints(for: observation, isCovered: true) == [.faceCovered])
    observation.smallFaces = 1
    #expect(advice.hints(for: observation) == [.othersBehind])
    observation.face = nil
    observation.faceCount = 0
    #expect(advice.hints(for: observation) == [.tooFar], "a small face alone is a subject who is far away")
  }
}

@Suite struct `Feedback on conditions` {
  private func feedback(
    on reason: String = "timed-out", _ hints: [FramingHint], lids: Float = 0, sharpness: Float = 20,
    resting: Bool = true
  ) -> [CaptureCondition] {
    var monitor = CaptureConditionMonitor()
    for index in 0..<40 {
      var observation = FaceObservation(
        at: .after(Double(index) / 10), frameWidth: 640, frameHeight: 480, brightness: 120, sharpness: sharpness,
        faceCount: 1, face: nil)
      if let presence = Score(1), let landmarks = Landmarks(.init(repeating: .zero, count: Landmarks.count)) {
        var shapes = Blendshapes()
        shapes[.eyeBlinkLeft] = lids
        shapes[.eyeBlinkRight] = lids
        observation.face = ObservedFace(
          box: Footage.box, presence: presence, pose: HeadPose(yaw: 0, pitch: 0, roll: 0), blendshapes: shapes,
          landmarks: landmarks)
      }
      // The condition holds in every second frame.
      monitor.process(observation, hints: index % 2 == 0 ? hints : [], isResting: resting)
    }
    return monitor.feedback(on: reason)
  }

  @Test(
    arguments: [
      (.noFace, [.faceNotVisible]), (.faceCovered, [.faceObstructionDetected]), (.tooFar, [.faceNotAligned]),
      (.tooClose, [.faceNotAligned]), (.offCenter, [.faceNotAligned]), (.tooDark, [.lowLightingDetected]),
      (.tooBright, [.highLightingDetected]), (.severalFaces, []), (.othersBehind, []), (.otherWay, []),
    ] as [(FramingHint, [CaptureCondition])])
  func `hints become conditions`(hint: FramingHint, expected: [CaptureCondition]) {
    #expect(feedback([hint]) == expected)
  }

  @Test func `closed eyes and blurred frames are conditions`() {
    #expect(feedback([], lids: 0.9) == [.eyesClosedDetected])
    #expect(feedback([], lids: 0.9, resting: false) == [], "tasks close the eyes")
    #expect(feedback([], sharpness: 0.5) == [.lowVideoQualityDetected])
    #expect(feedback([.offCenter], resting: false) == [], "tasks move the head")
  }

  @Test func `reasons state conditions`() {
    #expect(feedback(on: "no-face", []) == [.faceNotVisible])
    #expect(feedback(on: "too-few-frames", []) == [.lowVideoQualityDetected])
    #expect(feedback(on: "not-measured", [.tooDark]) == [.faceObstructionDetected, .lowLightingDetected])
    #expect(CaptureConditionMonitor().feedback(on: "wrong-direction") == [])
  }
}
