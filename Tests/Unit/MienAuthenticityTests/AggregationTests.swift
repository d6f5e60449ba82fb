import MienAuthenticity
import MienImaging
import MienCore
import Testing

@Suite struct `Signal aggregation` {
  static func part(_ check: CheckName, _ verdict: SceneCheckResult.Verdict, _ score: Double) -> SceneCheckResult {
    SceneCheckResult(
      check: check,
      outcome: .assessed(
        .init(
          measure: .init(native: 1, score: Score(score)!, calibration: "t"), verdict: verdict, threshold: 2)),
      version: "t")
  }

  static func weighed(_ readings: [SceneCheckResult]) -> DetectionResults {
    CaptureAnalyzer().assemble([CaptureAnalyzer.Part(readings: readings)])
  }

  @Test func `no assessed signals give no result`() {
    let results = Self.weighed([SceneCheckResult(check: .moire, outcome: .notAssessed(.imageTooSmall), version: "t")])
    #expect(results.aggregated == nil)
    #expect(results.readings.count == 1)
  }

  @Test func `genuine signals raise and suspect signals lower the score and level`() throws {
    let good = try #require(
      Self.weighed([Self.part(.depth, .genuine, 0.95), Self.part(.texture, .genuine, 0.9)]).aggregated)
    let bad = try #require(
      Self.weighed([Self.part(.texture, .suspect, 0.05), Self.part(.moire, .suspect, 0.1)]).aggregated)
    #expect(good.confidenceLevel == .veryHigh)
    #expect(good.primarySignal == .depth)
    #expect(good.primarySignalValid == true)
    #expect(good.signalsAgree == true)
    #expect(bad.confidenceLevel == .suspicious)
    #expect(bad.flags.contains(.screenDetected))
    #expect(bad.flags.contains(.depthMissing))
    #expect(abs(good.contributions.map(\.weight).reduce(0, +) - 1) < 1e-12)
  }

  @Test func `contradictory signals cap the level and are an anomaly`() throws {
    let results = Self.weighed([Self.part(.depth, .genuine, 0.99), Self.part(.texture, .suspect, 0.4)])
    #expect(results.aggregated?.signalsAgree == false)
    #expect(results.aggregated?.confidenceLevel == .medium)
    #expect(results.aggregated?.flags.contains(.signalsDisagree) == true)
  }

  @Test func `the absence of banding does not raise the score`() throws {
    let alone = try #require(Self.weighed([Self.part(.texture, .undecided, 0.5)]).aggregated)
    let more = try #require(
      Self.weighed([Self.part(.texture, .undecided, 0.5), Self.part(.banding, .genuine, 0.99)]).aggregated)
    #expect(alone.overallConfidence == more.overallConfidence)
  }

  @Test func `a failed job leaves the other results in place`() {
    let analyzer = CaptureAnalyzer()
    let capture = CaptureInput(image: YCbCrImage(luma: Scenes.blobs()))
    let parts = analyzer.jobs(for: capture).map { job in
      job.group == .moire ? CaptureAnalyzer.Part.missing(.moire, because: .tooSlow) : job.run()
    }
    let results = analyzer.assemble(parts, timings: [.moire: 500])
    #expect(results[.moire]?.outcome == .notAssessed(.tooSlow))
    #expect(results[.texture]?.outcome == .notAssessed(.tooSlow))
    #expect(results[.bezel]?.assessment != nil)
    #expect(results.artifacts != nil)
    #expect(results.isPartial)
    #expect(results.aggregated?.flags.contains(.partialAnalysis) == true)
    #expect(results.timings == [.moire: 500])
  }

  @Test func `visualizations have the tile grid's size and the image's aspect ratio`() throws {
    let visualizations = try #require(
      CaptureAnalyzer().visualizations(SampledImage(YCbCrImage(luma: Scenes.blobs(600, 300)))))
    #expect(visualizations.spectrum.width == 256)
    #expect(visualizations.tiles.width == 600)
    #expect(CaptureAnalyzer().visualizations(SampledImage(YCbCrImage())) == nil)
  }
}
