import MienCore
import MienFaceMatch
import Testing

@Suite struct `Face quality gate` {
  private static func observation(
    eyes: Float = 60, yaw: Float = 0, pitch: Float = 0, box: FaceBox = FaceBox(x: 0.3, y: 0.2, width: 0.4, height: 0.5),
    presence: Double = 0.99, brightness: Float = 120, sharpness: Float? = 8, count: Int = 1
  ) throws -> FaceObservation {
    let landmarks = try #require(Landmarks([SIMD3<Float>](repeating: .zero, count: Landmarks.count)))
    let face = ObservedFace(
      box: box, presence: try #require(Score(presence)), pose: HeadPose(yaw: yaw, pitch: pitch, roll: 0),
      blendshapes: Blendshapes(), landmarks: landmarks)
    let aligned = AlignedFace(
      samples: ContiguousArray(repeating: 0, count: AlignedFace.count), eyeDistance: eyes)
    return FaceObservation(
      at: .zero, frameWidth: 640, frameHeight: 480, brightness: brightness, sharpness: sharpness, faceCount: count,
      face: face, aligned: aligned)
  }

  @Test func `a good face has no problem`() throws {
    #expect(FaceQualityGate().problem(of: try Self.observation()) == nil)
  }

  @Test func `each problem has its own reason`() throws {
    let gate = FaceQualityGate()
    func problem(_ observation: FaceObservation) -> FaceImageProblem? { gate.problem(of: observation) }
    #expect(problem(try Self.observation(count: 2)) == .severalFaces)
    #expect(gate.problem(of: try Self.observation(count: 2), mayHaveOthers: true) == nil)
    #expect(problem(try Self.observation(eyes: 12)) == .tooSmall)
    #expect(problem(try Self.observation(eyes: 12, yaw: -70)) == .turned)
    #expect(problem(try Self.observation(yaw: 50)) == .turned)
    #expect(problem(try Self.observation(pitch: -45)) == .turned)
    #expect(problem(try Self.observation(box: FaceBox(x: 0.7, y: 0.2, width: 0.5, height: 0.5))) == .covered)
    #expect(problem(try Self.observation(presence: 0.6)) == .covered)
    #expect(problem(try Self.observation(brightness: 10)) == .tooDark)
    #expect(problem(try Self.observation(brightness: 250)) == .tooBright)
    #expect(problem(try Self.observation(sharpness: 0.4)) == .blurred)
    #expect(problem(try Self.observation(sharpness: nil)) == .blurred)
    var none = try Self.observation()
    none.face = nil
    #expect(problem(none) == .noFace)
  }
}
