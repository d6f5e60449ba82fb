import MienAuthenticity
import MienImaging
import Testing

@Suite struct `Depth check` {
  static func read(_ depth: CaptureDepthMap?) -> DetectionResults {
    CaptureAnalyzer().analyze(
      CaptureInput(image: YCbCrImage(luma: Scenes.blobs(96, 96)), depth: depth))
  }

  static func map(_ width: Int = 96, _ height: Int = 96, _ meters: (Float, Float) -> Float) -> CaptureDepthMap? {
    CaptureDepthMap(
      width: width, height: height,
      meters: (0..<width * height).map {
        meters(Float($0 % width) / Float(width) - 0.5, Float($0 / width) / Float(height) - 0.5)
      })
  }

  /// Planes in inverse depth, from frontal to steep.
  @Test(arguments: [Float(0), 0.3, 0.8])
  func `planes at any angle are flat and flatness alone is not suspect`(slope: Float) throws {
    let results = Self.read(Self.map { x, y in 1 / (1 + slope * x - slope / 2 * y) })
    #expect(results[.depth]?.outcome == .notAssessed(.sceneIsFlat))
    let report = try #require(results.depth)
    #expect(report.planeShare > 0.99)
    #expect(report.planeResidual < 0.002)
    #expect(results.aggregated?.flags.contains(.printDetected) != true)
  }

  @Test func `an object before a wall is a scene with depth`() throws {
    let results = Self.read(Self.map { x, y in x * x + y * y < 0.06 ? 0.8 + 2 * (x * x + y * y) : 2.5 })
    #expect(results[.depth]?.assessment?.verdict == .genuine)
    #expect(try #require(results.depth).layers == 2)
  }

  @Test func `holes and invalid values are ignored`() {
    let mixed: [Float] = [.nan, 0, -1, .infinity, 1e9, 1]
    var index = 0
    let sparse = Self.map { _, _ in
      index += 1
      return mixed[index % mixed.count]
    }
    #expect(Self.read(sparse)[.depth]?.outcome == .notAssessed(.tooLittleValidDepth))
    for tone in [Float.nan, 0, -Float.infinity] {
      #expect(Self.read(Self.map { _, _ in tone })[.depth]?.outcome == .notAssessed(.tooLittleValidDepth))
    }
  }

  @Test func `mismatched sizes are rejected`() {
    #expect(CaptureDepthMap(width: 4, height: 4, meters: [1]) == nil)
    #expect(CaptureDepthMap(width: 0, height: 0, meters: []) == nil)
    #expect(CaptureDepthMap(width: 5000, height: 1, meters: Array(repeating: 1, count: 5000)) == nil)
    #expect(Self.read(Self.map(96, 40) { _, _ in 1 })[.depth]?.outcome == .notAssessed(.depthDoesNotFit))
    #expect(Self.read(nil)[.depth]?.outcome == .notAssessed(.noDepth))
  }
}
