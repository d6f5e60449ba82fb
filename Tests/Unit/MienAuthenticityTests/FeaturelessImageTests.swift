import MienAuthenticity
import MienImaging
import MienCore
import Testing

/// Images without content: no image check may classify them as genuine.
@Suite struct `Images without content` {
  private static let size = (width: 640, height: 480)

  private static func drawn(_ tone: (Int, Int) -> Float) -> Plane { Scenes.drawn(size.width, size.height, tone) }

  private static func noisy(_ strength: Float, _ tone: @escaping (Int, Int) -> Float) -> Plane {
    var generator = Scenes.Noise(state: 7)
    return drawn { x, y in tone(x, y) + strength * (generator.next() - 0.5) }
  }

  static let plain: [(name: String, plane: Plane)] = [
    ("gray", drawn { _, _ in 128 }), ("black", drawn { _, _ in 0 }), ("white", drawn { _, _ in 255 }),
    ("almost gray", drawn { x, y in Float(127 + (x / 40 + y / 40) % 2) }),
    ("gray with noise", noisy(12) { _, _ in 128 }), ("black with noise", noisy(8) { _, _ in 2 }),
    ("a gradient across", drawn { x, _ in Float(x) * 0.39 }), ("a gradient down", drawn { _, y in Float(y) * 0.5 }),
    ("a gradient with noise", noisy(8) { x, _ in Float(x) * 0.39 }),
    ("two tones", drawn { x, _ in x < 320 ? 40 : 210 }),
    ("white with a speck", drawn { x, y in x < 6 && y < 6 ? 90 : 255 }),
  ]

  @Test(arguments: plain.indices)
  func `no check is assessed and no overall result is given`(index: Int) {
    let (name, plane) = Self.plain[index]
    let results = CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(luma: plane)))
    for check in [CheckName.moire, .texture, .banding, .specular, .halftone, .bezel, .doubleCompression] {
      #expect(results[check]?.outcome == .notAssessed(.nothingToMeasure), "\(name): \(check)")
    }
    #expect(results.aggregated == nil, "\(name)")
    #expect(!results.hasAnyResults, "\(name)")
    #expect(results.readings.map(\.check) == CheckName.allCases)
  }

  @Test func `realistic depth does not compensate for an image without content`() throws {
    let meters = (0..<64 * 48).map { (index: Int) -> Float in
      let base = Float(1 + index % 7)
      return index / 640 % 2 == 0 ? base * 0.5 : base * 1.5
    }
    let depth = try #require(CaptureDepthMap(width: 64, height: 48, meters: meters))
    let plane = Self.plain[0].plane
    let frames = (0..<5).map { BurstFrame(luma: plane, at: .zero + .milliseconds(Double($0) * 100)) }
    let results = CaptureAnalyzer().analyze(
      CaptureInput(image: YCbCrImage(luma: plane), depth: depth, burst: frames))
    for check in [CheckName.parallax, .bandMotion, .flicker, .focus] {
      #expect(results[check]?.outcome == .notAssessed(.nothingToMeasure))
    }
    #expect(results.aggregated == nil)
  }

  @Test func `a scene is assessed`() {
    let results = CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(luma: Scenes.blobs(640, 480))))
    #expect(results[.texture]?.assessment != nil)
    #expect(results.aggregated != nil)
  }
}
