import MienCore
import MienImaging
import Testing

@Suite struct `Face contrast` {
  /// Draws dark bars at the eyes and the mouth of a plain face.
  @Test func `contrast is that of the eyes and the mouth`() throws {
    var points = [SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)
    let places: [(indices: [Int], x: Float, y: Float)] = [
      ([33], 260, 200), ([133], 280, 200), ([362], 360, 200), ([263], 380, 200), ([0], 320, 290), ([13], 320, 300),
      ([14], 320, 302), ([17], 320, 312), ([37, 82, 84, 87], 305, 300), ([267, 312, 314, 317], 335, 300),
      ([50, 205], 250, 260), ([280, 425], 390, 260), ([151], 320, 130), ([164], 320, 275), ([200], 320, 335),
      ([216, 212], 270, 310), ([436, 432], 370, 310),
    ]
    for place in places {
      for index in place.indices { points[index] = SIMD3(place.x / 640, place.y / 480, 0) }
    }
    let landmarks = try #require(Landmarks(points))
    var frame = Frame(width: 640, height: 480, filledWith: Pixel(red: 180, green: 140, blue: 120))
    #expect(frame.contrast(at: landmarks) == FaceContrast(eyes: 0, mouth: 0, acrossMouth: 0, lipRedness: 0))
    for y in 196..<204 {
      for x in 255..<285 { frame[x, y] = .black }
    }
    let eye = try #require(frame.contrast(at: landmarks))
    #expect(eye.eyes > 0.05 && eye.mouth == 0, "one open eye is enough")
    for y in 292..<310 {
      for x in 295..<345 { frame[x, y] = Pixel(red: 170, green: 80, blue: 80) }
    }
    let face = try #require(frame.contrast(at: landmarks))
    #expect(face.acrossMouth > 0.02 && face.mouth >= face.acrossMouth && face.lipRedness > 10)
    let small = try #require(Landmarks(points.map { SIMD3(0.5 + ($0.x - 0.5) / 5, 0.5 + ($0.y - 0.5) / 5, 0) }))
    #expect(frame.contrast(at: small) == nil)
  }
}
