import MienImaging
import MienCore
import Testing

@Suite struct `Frame fingerprints` {
  /// A bright disc before a ramp, as a face before a background.
  private static func image(
    _ width: Int = 320, _ height: Int = 240, x: Float = 0.5, exposure: Float = 1, noise: Float = 0
  ) throws -> Frame {
    var generator = SystemRandomNumberGenerator()
    var pixels: ContiguousArray<Pixel> = []
    for index in 0..<width * height {
      let (column, row) = (Float(index % width) / Float(width), Float(index / width) / Float(height))
      let offset = SIMD2<Float>(column - x, row - 0.5)
      let scene: Float = (offset * offset).sum() < 0.06 ? 180 : 40 + 60 * row
      let grain: Float = noise == 0 ? 0 : Float.random(in: -noise...noise, using: &generator)
      let luma = UInt8(min(max(scene * exposure + grain, 0), 255))
      pixels.append(Pixel(red: luma, green: luma, blue: luma))
    }
    return try #require(Frame(width: width, height: height, pixels: pixels))
  }

  @Test func `size, exposure and noise hardly change a fingerprint and movement does`() throws {
    let first = try #require(try Self.image().fingerprint)
    for copy in [
      try Self.image(640, 480), try Self.image(exposure: 1.2), try Self.image(noise: 12),
      try Self.image(200, 150),
    ] {
      let fingerprint = try #require(copy.fingerprint)
      #expect(first.distance(to: fingerprint) < 0.06)
    }
    #expect(first.distance(to: first) == 0)
    let moved = try #require(try Self.image(x: 0.53).fingerprint)
    #expect(first.distance(to: moved) > 0.12)
  }

  @Test func `the distance to a blend of two is never larger than to either`() throws {
    let places: [Float] = [0.45, 0.46, 0.47]
    let seen = try places.map { try #require(try Self.image(x: $0).fingerprint) }
    let blend = seen[1].distance(toBlendOf: seen[0], seen[2])
    #expect(blend < 0.6 * min(seen[1].distance(to: seen[0]), seen[1].distance(to: seen[2])))
    #expect(seen[0].distance(toBlendOf: seen[0], seen[2]) == 0)
    #expect(seen[0].distance(toBlendOf: seen[1], seen[1]) == seen[0].distance(to: seen[1]))
    for other in seen { #expect(seen[0].leastDistance(to: other) <= seen[0].distance(to: other) + 0.001) }
  }

  @Test func `a plain or tiny image has no fingerprint`() throws {
    #expect(Frame(width: 64, height: 64, filledWith: .black).fingerprint == nil)
    #expect(try Self.image(15, 64).fingerprint == nil)
    #expect(Frame().fingerprint == nil)
    #expect(FrameFingerprint(luma: [1, 2, 3]) == nil)
    #expect(FrameFingerprint(luma: [Float](repeating: .nan, count: 256)) == nil)
    let fingerprint = try #require(try Self.image().fingerprint)
    #expect("\(fingerprint)" == "FrameFingerprint(withheld)")
  }
}
