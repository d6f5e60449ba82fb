import MienCore
import Testing

@Suite struct `Redaction of biometric values` {
  private static let number: Float = 0.7531

  private static func values() throws -> [any Sendable] {
    var shapes = Blendshapes()
    shapes[.jawOpen] = number
    let pose = HeadPose(yaw: number, pitch: number, roll: number)
    let box = FaceBox(x: number, y: number, width: number, height: number)
    let points = try #require(Landmarks([SIMD3<Float>](repeating: SIMD3(repeating: number), count: Landmarks.count)))
    let face = ObservedFace(
      box: box, presence: try #require(Score(Double(number))), pose: pose, blendshapes: shapes, landmarks: points)
    let depth = try #require(
      DepthFrame(
        width: 1, height: 1, samples: [7531], micrometersPerStep: 100,
        intrinsics: PinholeIntrinsics(fx: 1, fy: 1, cx: 0, cy: 0), face: box, at: .zero))
    return [
      shapes, pose, box, points, face, depth,
      FaceObservation(at: .zero, frameWidth: 1, frameHeight: 1, brightness: number, faceCount: 1, face: face),
      ClientObservation(at: .zero, faceCount: 1, box: box, pose: pose, blendshapes: shapes),
      EncodedFrame(bytes: [7, 5, 3, 1], at: .zero),
    ]
  }

  @Test func `print, debugPrint, dump and interpolation show no biometric value`() throws {
    for value in try Self.values() {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("7531") && !text.contains("0.75"), "\(type(of: value)) shows its contents")
        #expect(text.contains("withheld") || text.contains("bytes"), "\(type(of: value))")
      }
    }
  }
}
