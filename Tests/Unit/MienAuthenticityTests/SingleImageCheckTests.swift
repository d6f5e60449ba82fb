import MienAuthenticity
import MienImaging
import MienCore
import Testing

@Suite struct `Single-image checks` {
  static let scene = Scenes.blobs()

  @Test(arguments: [CheckName.moire, .halftone, .banding, .bezel])
  func `a plain scene is not suspect`(check: CheckName) throws {
    #expect(try #require(Scenes.verdict(check, Self.scene)) != .suspect)
  }

  @Test(arguments: [Float(2.7), 3.3])
  func `a fine grid is moire in proportion to its contrast`(period: Float) throws {
    func native(_ depth: Float) throws -> Double {
      let plane = Scenes.adding(Self.scene) { x, y in
        depth * (Scenes.wave((Float(x) + 0.1 * Float(y)) / period) + Scenes.wave((Float(y) - 0.1 * Float(x)) / period))
      }
      return try #require(Scenes.native(.moire, plane))
    }
    let (none, weak, strong) = try (native(0), native(4), native(16))
    #expect(none < weak)
    #expect(weak < strong)
    let plane = Scenes.adding(Self.scene) { x, y in 16 * Scenes.wave((Float(x) + 0.1 * Float(y)) / period) }
    let report = CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(luma: plane))).moire
    #expect(report?.detected == true)
    let peak = try #require(report?.peaks.first { $0.frequency > 0.25 })
    #expect(abs(peak.frequency - 1.005 / Double(period)) < 0.01)
    #expect(abs(peak.angle - 5.7) < 2)
  }

  @Test func `rotated dots are a halftone and upright dots are not`() throws {
    func dots(_ cosine: Float, _ sine: Float) -> Plane {
      Scenes.adding(Self.scene) { x, y in
        let (p, q) = (cosine * Float(x) + sine * Float(y), cosine * Float(y) - sine * Float(x))
        return 24 * (Scenes.wave(p / 5.5) + Scenes.wave(q / 5.5))
      }
    }
    let turned = try #require(Scenes.native(.halftone, dots(0.866, 0.5)))
    let upright = try #require(Scenes.native(.halftone, dots(1, 0)))
    #expect(turned > upright)
    #expect(Scenes.verdict(.halftone, dots(0.866, 0.5)) == .suspect)
    #expect(Scenes.verdict(.halftone, dots(1, 0)) != .suspect)
  }

  @Test(arguments: [true, false])
  func `bands across the whole width are found along either side`(alongRows: Bool) {
    let banded = Scenes.drawn(320, 320) { x, y in
      let tone = Float(Self.scene.samples[y * 320 + x])
      return tone * (1 + 0.3 * Scenes.wave(Float(alongRows ? y : x) / 32))
    }
    #expect(Scenes.verdict(.banding, banded) == .suspect)
  }

  @Test func `a dark frame is a bezel and a single edge is not`() throws {
    let framed = Scenes.adding(Self.scene) { x, y in x < 40 || x > 270 || y < 30 || y > 280 ? -200 : 0 }
    let horizon = Scenes.adding(Self.scene) { _, y in y > 200 ? -90 : 0 }
    let (frame, edge) = (try #require(Scenes.native(.bezel, framed)), try #require(Scenes.native(.bezel, horizon)))
    #expect(frame > edge + 20)
    #expect(Scenes.verdict(.bezel, horizon) != .suspect)
  }

  @Test func `a veil of light is softer than a lamp`() throws {
    func light(_ fall: Float) -> Plane {
      Scenes.adding(Self.scene) { x, y in
        let (dx, dy) = (Float(x) - 160, Float(y) - 160)
        return max(0, 400 - fall * (dx * dx + dy * dy).squareRoot())
      }
    }
    let (veil, lamp) = (
      try #require(Scenes.native(.specular, light(3))), try #require(Scenes.native(.specular, light(40)))
    )
    #expect(veil > lamp + 20)
    let dull = Scenes.drawn(320, 320) { x, _ in Float(x / 4) }
    #expect(Scenes.reading(.specular, dull)?.outcome == .notAssessed(.nothingToMeasure))
  }

  @Test func `texture gives an assessment and states its limits`() throws {
    let report = try #require(CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(luma: Self.scene))).texture)
    #expect((0...1).contains(report.confidence))
  }

  @Test(arguments: [(1, 1), (63, 500), (500, 63), (8, 8), (64, 1025), (1100, 68)])
  func `small images and extreme aspect ratios are not assessed by any check`(width: Int, height: Int) {
    let plane = Scenes.drawn(width, height) { _, _ in 90 }
    let results = CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(luma: plane)))
    #expect(!results.hasAnyResults)
    #expect(results.aggregated == nil)
    #expect(results.readings.allSatisfy { $0.assessment == nil })
    #expect(results.readings.map(\.check) == CheckName.allCases)
  }

  @Test func `aspect ratios up to 16 are assessed and larger ones are downsampled`() {
    let plane = Scenes.drawn(64, 1024) { _, y in Float(y % 200) }
    #expect(Scenes.reading(.banding, plane)?.assessment != nil)
    let (long, longer) = (
      SamplingPlan.forChecks(width: 16_000, height: 1000), SamplingPlan.forChecks(width: 1900, height: 31_500)
    )
    #expect(long.corners.count == 9 && longer.corners.isEmpty)
    #expect(longer.factor == 29, "64 samples across")
  }

  @Test(arguments: [(64, 64), (65, 129), (256, 300), (1000, 70)], [Float(0), 128, 255])
  func `uniform images of any size are measured without trapping`(size: (Int, Int), tone: Float) {
    let plane = Scenes.drawn(size.0, size.1) { _, _ in tone }
    let results = CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(luma: plane)))
    for reading in results.readings {
      if let found = reading.assessment { #expect(found.measure.native.isFinite) }
    }
  }
}
