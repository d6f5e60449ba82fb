import MienCore
import MienImaging
import Testing

@Suite struct `Light on faces` {
  private static func landmarks(_ scale: Float = 0.2) throws -> Landmarks {
    var points = Array(repeating: SIMD3<Float>(0.5, 0.5, 0), count: Landmarks.count)
    for (index, place) in [
      33: SIMD2<Float>(-0.5, -0.3), 263: SIMD2(0.5, -0.3), 151: SIMD2(0, -0.8), 9: SIMD2(0, -0.6), 1: SIMD2(0, 0),
      5: SIMD2(0, -0.1), 50: SIMD2(-0.5, 0.2), 205: SIMD2(-0.4, 0.3), 280: SIMD2(0.5, 0.2), 425: SIMD2(0.4, 0.3),
      10: SIMD2(0, -1), 152: SIMD2(0, 1), 234: SIMD2(-0.8, 0), 454: SIMD2(0.8, 0),
    ] {
      points[index] = SIMD3(0.5 + scale * place.x, 0.5 + scale * place.y, 0)
    }
    return try #require(Landmarks(points))
  }

  @Test func `colors are linear means of each part and of what is around the head`() throws {
    var frame = Frame(width: 400, height: 400, filledWith: Pixel(red: 188, green: 188, blue: 188))
    for y in 110..<300 {
      for x in 130..<270 { frame[x, y] = Pixel(red: 200, green: 150, blue: 120) }
    }
    for y in 188..<206 {
      for x in 190..<210 { frame[x, y] = Pixel(red: 200, green: 150, blue: 180) }
    }
    let light = frame.light(at: try Self.landmarks())
    #expect(abs(light.background.x - 0.503) < 0.002 && light.background.x == light.background.z)
    #expect(abs(light.forehead.x - 0.578) < 0.002 && abs(light.forehead.z - 0.188) < 0.002)
    #expect(light.nose.z > 0.4 && abs(light.nose.y - light.forehead.y) < 0.001)
    #expect(light.rightCheek == light.leftCheek)
    #expect("\(light)" == "FaceLight(withheld)")
  }

  @Test func `parts that are overexposed or outside the image are NaN`() throws {
    let bright = Frame(width: 300, height: 300, filledWith: Pixel(red: 255, green: 180, blue: 100))
    #expect(bright.light(at: try Self.landmarks()).nose.x.isNaN)
    let plain = Frame(width: 300, height: 300, filledWith: Pixel(red: 90, green: 90, blue: 90))
    let large = plain.light(at: try Self.landmarks(0.48))
    #expect(large.background.x.isNaN && !large.nose.x.isNaN)
    #expect(plain.light(at: try Self.landmarks(3)).rightCheek.x.isNaN)
    #expect(Frame().light(at: try Self.landmarks()).nose.x.isNaN)
    let nowhere = try #require(Landmarks(Array(repeating: SIMD3(.nan, .infinity, 0), count: Landmarks.count)))
    #expect(plain.light(at: nowhere).forehead.x.isNaN)
  }
}
