import MienCore
import Testing

@testable import MienTracking

@Suite struct `Tongue detection gate` {
  /// Returns landmarks of a mouth 100 pixels wide, open by `opening` pixels.
  private func mouth(_ opening: Float) -> [SIMD3<Float>] {
    var points = [SIMD3<Float>](repeating: .zero, count: Landmarks.count)
    points[78] = SIMD3(100, 50, 0)
    points[308] = SIMD3(200, 50, 0)
    points[13] = SIMD3(150, 50 - opening / 2, 0)
    points[14] = SIMD3(150, 50 + opening / 2, 0)
    return points
  }

  @Test(
    arguments: [
      (0.05, 0.0, 0.0, 0.05), (0.9, 0.5, 40, 0.9), (1.7, 0.5, 40, 1), (-0.1, 0.5, 40, 0),
    ] as [(Float, Float, Float, Float)])
  func `a plausible score passes`(score: Float, jaw: Float, opening: Float, wanted: Float) {
    #expect(TongueOutFilter().tongueOut(score: score, jawOpen: jaw, points: mouth(opening)) == wanted)
  }

  @Test(arguments: [(0.0, 40), (0.5, 3), (0.0, 2), (nil, 40)] as [(Float?, Float)])
  func `a high score over a closed mouth is unmeasured`(jaw: Float?, opening: Float) {
    #expect(TongueOutFilter().tongueOut(score: 0.99, jawOpen: jaw, points: mouth(opening)) == nil)
  }
}

@Suite struct `One-euro filter` {
  private let settings = OneEuroSettings()

  private func run(_ values: [Float], _ strength: OneEuroSettings.Strength) -> [Float] {
    var filter = OneEuroFilter(SIMD2(values[0], 0))
    return values.map { value in
      filter.update(SIMD2(value, 0), step: 1 / 30, strength, speedCutoff: settings.speedCutoff)
      return filter.values.x
    }
  }

  @Test func `jitter at rest is reduced`() {
    let smooth = run((0..<60).map { $0.isMultiple(of: 2) ? 0.5 : -0.5 }, settings.pose)
    #expect(smooth.suffix(20).map { abs($0) }.max()! < 0.25)
  }

  @Test func `a turning head is followed within one or two frames`() {
    // 60° per second, the speed of a quick turn.
    let path = (0..<45).map { Float($0) * 2 }
    let smooth = run(path, settings.pose)
    #expect(abs(smooth[44] - path[44]) < 4)
  }

  @Test func `a constant remains unchanged`() {
    #expect(run(Array(repeating: 12, count: 20), settings.box).allSatisfy { abs($0 - 12) < 1e-4 })
  }
}

@Suite struct `Nearest rotation` {
  private func rotation(_ a: Double, _ b: Double) -> Matrix3 {
    // Around z by the angle whose cosine and sine are 0.8 and 0.6, then around x by the angle given by a and b.
    let z = Matrix3(x: SIMD3(0.8, 0.6, 0), y: SIMD3(-0.6, 0.8, 0), z: SIMD3(0, 0, 1))
    let x = Matrix3(x: SIMD3(1, 0, 0), y: SIMD3(0, a, b), z: SIMD3(0, -b, a))
    return x * z
  }

  private func difference(_ a: Matrix3, _ b: Matrix3) -> Double {
    [a.x - b.x, a.y - b.y, a.z - b.z].map { max($0.max(), -$0.min()) }.max()!
  }

  @Test(arguments: [(1, 0), (0, 1), (0.28, 0.96), (-0.6, 0.8)] as [(Double, Double)])
  func `a stretched rotation is recovered`(a: Double, b: Double) throws {
    let wanted = rotation(a, b)
    let stretch = Matrix3(x: SIMD3(7, 0, 0), y: SIMD3(0, 3, 0), z: SIMD3(0, 0, 0.5))
    let found = try #require((wanted * stretch).nearestRotation)
    #expect(difference(found, wanted) < 1e-9)
  }

  @Test func `the result is never a reflection`() throws {
    let mirror = Matrix3(x: SIMD3(3, 0, 0), y: SIMD3(0, 2, 0), z: SIMD3(0, 0, -1))
    #expect(difference(try #require(mirror.nearestRotation), .identity) < 1e-9)
  }

  @Test func `a degenerate matrix has no nearest rotation`() {
    #expect(Matrix3.zero.nearestRotation == nil)
    #expect(Matrix3(x: SIMD3(.nan, 0, 0), y: SIMD3(0, 1, 0), z: SIMD3(0, 0, 1)).nearestRotation == nil)
  }
}

@Suite struct `Protocol buffer reader` {
  private func fields(_ bytes: [UInt8]) -> [String] {
    var reader = ProtocolBufferReader(bytes[...])
    var fields: [String] = []
    while let field = reader.next() {
      switch field.value {
      case .integer(let value): fields.append("\(field.number) integer \(value)")
      case .bytes(let value): fields.append("\(field.number) bytes \(Array(value))")
      case .float(let value): fields.append("\(field.number) float \(value)")
      case .other: fields.append("\(field.number) other")
      }
    }
    return fields
  }

  @Test func `fields are returned in order`() {
    let bytes: [UInt8] = [0x08, 0xAC, 0x02, 0x12, 2, 0x61, 0x62, 0x1D, 0, 0, 0x80, 0x3F]
    #expect(fields(bytes) == ["1 integer 300", "2 bytes [97, 98]", "3 float 1.0"])
  }

  @Test(
    arguments: [
      [0x80], [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0x1D, 1, 2], [0x0B],
    ] as [[UInt8]])
  func `malformed input ends reading`(bytes: [UInt8]) {
    #expect(fields(bytes) == [])
    #expect(fields([0x08, 5] + bytes) == ["1 integer 5"])
  }
}

@Suite struct `Merging face detections` {
  private func answer(_ x: Float, _ score: Float) -> Detection {
    Detection(
      score: score, first: SIMD2(x, 0), last: SIMD2(x + 100, 100), rightEye: SIMD2(x + 30, 40),
      leftEye: SIMD2(x + 70, 40))
  }

  @Test func `overlapping detections are merged, weighted by score`() throws {
    let merged = FaceDetector.merge([answer(0, 0.9), answer(300, 0.8), answer(10, 0.6)], overlap: 0.3)
    #expect(merged.count == 2)
    #expect(abs(merged[0].first.x - 10 * 0.6 / 1.5) < 1e-4)
    #expect(merged[0].score == 0.9)
    #expect(merged[1].first.x == 300)
  }

  @Test func `no detections merge to none`() {
    #expect(FaceDetector.merge([], overlap: 0.3).isEmpty)
  }
}
