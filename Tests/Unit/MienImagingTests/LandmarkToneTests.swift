import MienImaging
import MienCore
import Testing

@Suite struct `Landmark tones` {
  /// Returns an image that becomes brighter from left to right: the luma at x is x.
  private static func ramp(_ side: Int = 200) throws -> Frame {
    let row = (0..<side).map { Pixel(red: UInt8($0), green: UInt8($0), blue: UInt8($0)) }
    return try #require(
      Frame(width: side, height: side, pixels: ContiguousArray((0..<side).flatMap { _ in row })))
  }

  private static func landmarks(_ place: (Int) -> SIMD2<Float>) throws -> Landmarks {
    try #require(Landmarks((0..<Landmarks.count).map { SIMD3(place($0).x, place($0).y, 0) }))
  }

  @Test func `tones are the mean brightness around each landmark`() throws {
    let points = try Self.landmarks { index in SIMD2(0.2 + 0.6 * Float(index) / 478, 0.5) }
    let tones = try #require(try Self.ramp().tones(at: points))
    for (slot, index) in LandmarkTones.indices.enumerated() {
      let expected = (0.2 + 0.6 * Float(index) / 478) * 200
      #expect(abs(tones.values[slot] - expected) < 1.5, "landmark \(index)")
    }
    #expect("\(tones)" == "LandmarkTones(withheld)")
  }

  @Test func `no tones are returned for a landmark outside the image or a degenerate face`() throws {
    let frame = try Self.ramp()
    let inside: (Int) -> SIMD2<Float> = { SIMD2(0.2 + 0.6 * Float($0) / 478, 0.5) }
    for outside in [SIMD2<Float>(-0.01, 0.5), SIMD2(1.01, 0.5), SIMD2(0.5, -3), SIMD2(0.5, 1), SIMD2(1e20, 0.5)] {
      #expect(frame.tones(at: try Self.landmarks { $0 == 195 ? outside : inside($0) }) == nil)
    }
    #expect(frame.tones(at: try Self.landmarks { _ in SIMD2(0.5, 0.5) }) == nil)
    #expect(Frame().tones(at: try Self.landmarks(inside)) == nil)
  }
}
