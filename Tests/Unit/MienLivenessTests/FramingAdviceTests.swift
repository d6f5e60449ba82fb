import MienLiveness
import MienCore
import Testing

@Suite struct `Framing advice` {
  static func observation(
    _ box: FaceBox?, faces: Int = 1, brightness: Float = 120
  ) -> FaceObservation? {
    guard let presence = Score(1), let landmarks = Landmarks(.init(repeating: .zero, count: Landmarks.count)) else {
      return nil
    }
    let face = box.map {
      ObservedFace(
        box: $0, presence: presence, pose: HeadPose(yaw: 3, pitch: 0, roll: 0), blendshapes: Blendshapes(),
        landmarks: landmarks)
    }
    return FaceObservation(
      at: .zero, frameWidth: 640, frameHeight: 480, brightness: brightness, faceCount: faces, face: face)
  }

  @Test(
    arguments: [
      (FaceBox(x: 0.3, y: 0.2, width: 0.4, height: 0.6), 1, 120, []),
      (FaceBox(x: 0.3, y: 0.2, width: 0.4, height: 0.6), 2, 120, [.severalFaces]),
      (nil, 0, 120, [.noFace]),
      (nil, 0, 10, [.noFace, .tooDark]),
      (FaceBox(x: 0.45, y: 0.45, width: 0.1, height: 0.1), 1, 120, [.tooFar]),
      (FaceBox(x: 0, y: 0, width: 0.9, height: 1), 1, 120, [.tooClose]),
      (FaceBox(x: 0, y: 0.2, width: 0.4, height: 0.6), 1, 120, [.offCenter]),
      (FaceBox(x: 0.3, y: 0.5, width: 0.4, height: 0.6), 1, 120, [.offCenter]),
      (FaceBox(x: 0.9, y: 0.9, width: 0.1, height: 0.1), 1, 250, [.tooFar, .offCenter, .tooBright]),
      (FaceBox(x: 0.3, y: 0.2, width: .nan, height: 0.6), 1, 120, [.noFace]),
    ] as [(FaceBox?, Int, Float, [FramingHint])])
  func `hints describe what can be corrected`(
    _ box: FaceBox?, _ faces: Int, _ brightness: Float, _ hints: [FramingHint]
  ) throws {
    let observation = try #require(Self.observation(box, faces: faces, brightness: brightness))
    #expect(FramingAdvice().hints(for: observation) == hints)
  }

  @Test func `client observations give the hints their values support`() {
    func hints(_ count: Int?, _ box: FaceBox?, _ pose: HeadPose?) -> [FramingHint] {
      FramingAdvice().hints(
        for: ClientObservation(at: .zero, faceCount: count, box: box, pose: pose, blendshapes: nil))
    }
    let pose = HeadPose(yaw: 0, pitch: 0, roll: 0)
    #expect(hints(nil, nil, pose) == [])
    #expect(hints(0, nil, pose) == [.noFace])
    #expect(hints(nil, nil, nil) == [.noFace])
    #expect(hints(3, nil, pose) == [.severalFaces])
    #expect(hints(1, FaceBox(x: 0.45, y: 0.45, width: 0.1, height: 0.1), pose) == [.tooFar])
  }

  @Test func `an observation is converted to a sample`() throws {
    let box = FaceBox(x: 0.3, y: 0.2, width: 0.4, height: 0.6)
    #expect(HeadSample(try #require(Self.observation(box))).sight == .face(yaw: 3, box: box))
    #expect(HeadSample(try #require(Self.observation(box, faces: 2))).sight == .severalFaces(2))
    #expect(HeadSample(try #require(Self.observation(nil, faces: 0))).sight == .noFace)
  }

  @Test func `invalid settings are rejected`() {
    #expect(FramingSettings() != nil)
    #expect(FramingSettings(darkest: 200, brightest: 100) == nil)
    #expect(FramingSettings(darkest: .nan) == nil)
    #expect(FramingSettings(smallest: 0.9, largest: 0.2) == nil)
    #expect(FramingSettings(maximumOffset: 0) == nil)
  }
}
