import MienTestGenerators
import MienLiveness
import MienCore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform

@Suite struct `Replay detection between checks` {
  /// Returns the frames of a bright patch that moves along a random path.
  private static func frames(_ seed: UInt64) throws -> DistinctFrames {
    var (generator, frames, position) = (SplitMixGenerator(seed: seed), DistinctFrames(), SIMD2<Float>(0.5, 0.5))
    let points = try #require(Landmarks([SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)))
    let face = ObservedFace(
      box: FaceBox(x: 0.3, y: 0.3, width: 0.4, height: 0.4), presence: try #require(Score(1)),
      pose: HeadPose(yaw: 0, pitch: 0, roll: 0), blendshapes: Blendshapes(), landmarks: points)
    for _ in 0..<40 {
      position.x += Float.random(in: -0.05...0.05, using: &generator)
      position.y += Float.random(in: -0.05...0.05, using: &generator)
      var luma: [Float] = []
      for cell in 0..<256 {
        let (column, row) = (Float(cell % 16), Float(cell / 16))
        let offset = SIMD2<Float>((column + 0.5) / 16, (row + 0.5) / 16) - position
        let patch: Float = max(0, 1 - (offset * offset).sum() / 0.06)
        luma.append(60 + 4 * row + 120 * patch)
      }
      frames.process(
        FaceObservation(
          at: .zero, frameWidth: 640, frameHeight: 480, brightness: 128, faceCount: 1, face: face,
          fingerprint: FrameFingerprint(luma: luma)))
    }
    return frames
  }

  private static func isSuspect(
    _ memory: EarlierChecks, _ frames: DistinctFrames, _ check: String, person: PersonID? = nil, day: Int64 = 0
  ) async throws -> Bool {
    let finding = await memory.compare(
      frames, of: try #require(CheckID(check)), person: person, at: UnixTime(milliseconds: day * 86_400_000))
    if case .suspect = finding.result { return true }
    return false
  }

  @Test func `a recording passes only once`() async throws {
    let memory = EarlierChecks()
    let (first, second) = (try Self.frames(1), try Self.frames(2))
    try #require(first.canBeCompared && second.canBeCompared)
    #expect(try await !Self.isSuspect(memory, first, "one"))
    #expect(try await !Self.isSuspect(memory, first, "one"), "a check is not compared with itself")
    #expect(try await !Self.isSuspect(memory, second, "two"))
    #expect(try await Self.isSuspect(memory, first, "three"))
    #expect(try await Self.isSuspect(memory, second, "four"))
  }

  @Test func `failed checks are remembered, and deleted or week-old ones are not`() async throws {
    let memory = EarlierChecks()
    let (ada, one) = (try #require(PersonID("ada")), try #require(CheckID("one")))
    let frames = try Self.frames(1)
    await memory.remember(frames, of: one, person: ada, at: UnixTime(milliseconds: 0))
    #expect(try await Self.isSuspect(memory, frames, "two", person: ada))
    await memory.remove(ada)
    #expect(try await !Self.isSuspect(memory, frames, "three"))
    await memory.remove(try #require(CheckID("three")))
    #expect(try await !Self.isSuspect(memory, frames, "four"))
    #expect(try await !Self.isSuspect(memory, frames, "five", day: 8))
  }
}
