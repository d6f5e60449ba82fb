import MienAuthenticity
import MienImaging
import MienCore
import Testing

/// The checks compute a subset of the training measures: the values must be equal.
@Suite struct `Measure coverage` {
  static func image(_ width: Int, _ height: Int) -> SampledImage {
    let luma = Scenes.blobs(width, height, seed: 3)
    let half = { (seed: UInt64) in Scenes.blobs((width + 1) / 2, (height + 1) / 2, seed: seed) }
    return SampledImage(YCbCrImage(luma: luma, blue: half(4), red: half(5)))
  }

  @Test(arguments: [(70, 90), (200, 131), (520, 300), (901, 700)])
  func `moire reads the measures used in training`(width: Int, height: Int) throws {
    let image = Self.image(width, height)
    let analyzer = CaptureAnalyzer()
    let found = try #require(analyzer.measured(CaptureInput(image: image)))
    #expect(found.values.count == CaptureAnalyzer.measureNames.count)
    func value(_ name: String) throws -> Double {
      Double(found.values[try #require(CaptureAnalyzer.measureNames.firstIndex(of: name))])
    }
    let expected = try ["y.rise2.mean", "y.rise1.whole", "y.rise2.whole", "b.rise1.whole", "r.rise1.whole"]
      .map(value).max()
    let reading = analyzer.analyze(CaptureInput(image: image))[.moire]
    #expect(try #require(reading?.assessment).measure.native == expected)
  }

  @Test func `texture does not depend on the result of the artifact job`() throws {
    let capture = CaptureInput(image: Self.image(600, 500))
    let analyzer = CaptureAnalyzer()
    let parts = analyzer.jobs(for: capture).map { job in
      job.group == .artifacts ? CaptureAnalyzer.Part.missing(.artifacts, because: .tooSlow) : job.run()
    }
    let found = try #require(analyzer.assemble(parts)[.texture]?.assessment)
    #expect(found == analyzer.analyze(capture)[.texture]?.assessment)
  }

  @Test func `visualizations of measured parts are those of the image`() throws {
    let image = Self.image(600, 500)
    let analyzer = CaptureAnalyzer()
    let parts = analyzer.jobs(for: CaptureInput(image: image)).map { $0.run() }
    let (kept, made) = (analyzer.visualizations(image, from: parts), analyzer.visualizations(image))
    #expect(try #require(kept).tiles.pixels == #require(made).tiles.pixels)
    #expect(try #require(kept).spectrum.pixels == #require(made).spectrum.pixels)
  }
}
