import MienAuthenticity
import MienImaging
import MienModel
import Testing

/// The checks measure a part of what training does: it has to be the same part.
@Suite struct `What checks measure` {
  static func picture(_ width: Int, _ height: Int) -> SampledPicture {
    let luma = Scenes.blobs(width, height, seed: 3)
    let half = { (seed: UInt64) in Scenes.blobs((width + 1) / 2, (height + 1) / 2, seed: seed) }
    return SampledPicture(PlanarPicture(luma: luma, blue: half(4), red: half(5)))
  }

  @Test(arguments: [(70, 90), (200, 131), (520, 300), (901, 700)])
  func `moire reads the measures that training sees`(width: Int, height: Int) throws {
    let picture = Self.picture(width, height)
    let analyser = SceneAnalyser()
    let found = try #require(analyser.measured(picture))
    #expect(found.values.count == SceneAnalyser.measureNames.count)
    func value(_ name: String) throws -> Double {
      Double(found.values[try #require(SceneAnalyser.measureNames.firstIndex(of: name))])
    }
    let expected = try ["y.rise2.mean", "y.rise1.whole", "y.rise2.whole", "b.rise1.whole", "r.rise1.whole"]
      .map(value).max()
    let reading = analyser.analyse(SceneCapture(picture: picture))[.moire]
    #expect(try #require(reading?.assessment).measure.native == expected)
  }

  @Test func `texture is the same whether or not the artefacts' job came back`() throws {
    let capture = SceneCapture(picture: Self.picture(600, 500))
    let analyser = SceneAnalyser()
    let parts = analyser.jobs(for: capture).map { job in
      job.group == .artifacts ? SceneAnalyser.Part.missing(.artifacts, because: .tooSlow) : job.run()
    }
    let found = try #require(analyser.assemble(parts)[.texture]?.assessment)
    #expect(found == analyser.analyse(capture)[.texture]?.assessment)
  }

  @Test func `exhibits of measured parts are those of the picture`() throws {
    let picture = Self.picture(600, 500)
    let analyser = SceneAnalyser()
    let parts = analyser.jobs(for: SceneCapture(picture: picture)).map { $0.run() }
    let (kept, made) = (analyser.exhibits(picture, from: parts), analyser.exhibits(picture))
    #expect(try #require(kept).tiles.pixels == #require(made).tiles.pixels)
    #expect(try #require(kept).spectrum.pixels == #require(made).spectrum.pixels)
  }
}
