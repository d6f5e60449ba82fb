import MienLiveness
import MienCore
import Testing

@Suite struct `Replay detection across checks` {
  /// Returns the frames of a face-like patch whose position, size and lighting change at random.
  static func frames(seed: Int, count: Int = 60, noise: Float = 0, every: Int = 1, isStill: Bool = false) throws
    -> DistinctFrames
  {
    // The numbers of neighboring seeds are the same ones, shifted.
    var (generator, frames) = (SeededGenerator(seed * 1_000_003), DistinctFrames())
    var (pose, speed) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
    for number in 0..<count {
      speed = speed * 0.8 - pose * 0.05
      for part in 0..<4 where !isStill { speed[part] += Float.random(in: -0.02...0.02, using: &generator) }
      pose += speed
      if number.isMultiple(of: every) { frames.process(try observation(pose, number, noise: noise)) }
    }
    return frames
  }

  static func observation(_ pose: SIMD4<Float>, _ number: Int, noise: Float = 0, face: Bool = true) throws
    -> FaceObservation
  {
    var generator = SeededGenerator(number + 1000)
    var luma: [Float] = []
    let size = 0.06 * (1 + pose.z)
    for cell in 0..<256 {
      let (column, row) = (Float(cell % 16), Float(cell / 16))
      let offset = SIMD2<Float>((column + 0.5) / 16 - 0.5 - pose.x, (row + 0.5) / 16 - 0.5 - pose.y)
      let patch: Float = max(0, 1 - (offset * offset).sum() / size)
      let light: Float = 100 * pose.w * (column / 16 - 0.5)
      let grain: Float = noise == 0 ? 0 : Float.random(in: -noise...noise, using: &generator)
      luma.append(60 + 4 * row + 120 * patch + light + grain)
    }
    let points = try #require(Landmarks([SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)))
    let seen = ObservedFace(
      box: FaceBox(x: 0.3, y: 0.3, width: 0.4, height: 0.4), presence: try #require(Score(1)),
      pose: HeadPose(yaw: 0, pitch: 0, roll: 0), blendshapes: Blendshapes(), landmarks: points)
    return FaceObservation(
      at: .zero, frameWidth: 640, frameHeight: 480, brightness: 128, faceCount: face ? 1 : 0, face: face ? seen : nil,
      fingerprint: FrameFingerprint(luma: luma))
  }

  private static func isSuspect(_ finding: Finding) -> Bool {
    if case .suspect = finding.result { true } else { false }
  }

  @Test func `a noisy copy is detected and another performance in the same place is not`() throws {
    let first = try Self.frames(seed: 1)
    try #require(first.count > 16)
    let copy = try Self.frames(seed: 1, noise: 0.5)
    #expect(Self.isSuspect(copy.finding(copy.matches(in: first))))
    for seed in 2..<12 {
      let other = try Self.frames(seed: seed)
      #expect(!Self.isSuspect(other.finding(other.matches(in: first))))
    }
  }

  @Test func `every second frame of a recording is detected`() throws {
    let first = try Self.frames(seed: 3)
    let half = try Self.frames(seed: 3, every: 2)
    #expect(half.matches(in: first) > half.count / 2)
  }

  @Test func `static frames are not compared`() throws {
    let still = try Self.frames(seed: 1, isStill: true)
    #expect(still.count == 1 && !still.canBeCompared)
    #expect(still.finding(0).result == .notAssessed(.tooFewFrames(1)))
    var empty = DistinctFrames()
    empty.process(try Self.observation(.zero, 0, face: false))
    #expect(empty.count == 0)
    #expect("\(empty)" == "DistinctFrames(withheld)")
  }

  @Test func `few frames are never suspect and the number of kept frames is limited`() throws {
    let first = try Self.frames(seed: 1)
    let few = try Self.frames(seed: 1, count: 9)
    #expect(few.count <= 8 || !Self.isSuspect(few.finding(7)))
    #expect(!Self.isSuspect(first.finding(first.count / 2 - 1)))
    #expect(try Self.frames(seed: 5, count: 2000).count <= DistinctFrames.most)
  }
}
