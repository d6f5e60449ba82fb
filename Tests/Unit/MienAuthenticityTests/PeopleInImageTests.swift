import MienAuthenticity
import MienImaging
import MienCore
import Testing

/// Checks of the scene on images of people, whose faces are known.
@Suite struct `People in images` {
  private static let face = FaceBox(x: 0.35, y: 0.3, width: 0.3, height: 0.4)

  private static func results(
    _ image: YCbCrImage, faces: [FaceBox], burst: [Plane] = [], burstFaces: [FaceBox] = []
  ) -> DetectionResults {
    var capture = CaptureInput(
      image: image,
      burst: burst.enumerated().map {
        BurstFrame(luma: $1, at: MonotonicInstant(nanoseconds: Int64($0) * 33_000_000))
      })
    capture.faces = faces
    capture.burstFaces = burstFaces
    return CaptureAnalyzer().analyze(capture)
  }

  /// Draws a person in front of a wall of one color with a gradient: dark hair, bright forehead, darker eyes, bright cheeks and
  /// dark clothes across most of the width.
  private static func portrait(wall: Float, of blue: UInt8, _ red: UInt8) -> YCbCrImage {
    let luma = Scenes.drawn(320, 320) { x, y in
      let isPerson = y > 224 ? (20..<300).contains(x) : y > 60 && (48..<272).contains(x)
      guard isPerson else { return wall + Float(y) / 16 + Float((x * 7 + y * 13) % 5) }
      let tone: Float =
        switch y {
        case ..<104: 25
        case ..<140: 190
        case ..<172: 70
        case ..<224: 185
        default: 25
        }
      return tone + Float((x * 5 + y * 3) % 7)
    }
    let color = { (value: UInt8) in Plane(width: 160, height: 160, samples: .init(repeating: value, count: 25_600))! }
    var image = YCbCrImage(luma: luma)
    (image.blue, image.red) = (color(blue), color(red))
    return image
  }

  @Test(arguments: [(90, 60, 40), (60, 220, 90), (110, 60, 230)])
  func `a face in front of a colored wall is not detected as bands`(wall: Int, blue: Int, red: Int) throws {
    let image = Self.portrait(wall: Float(wall), of: UInt8(blue), UInt8(red))
    let unaware = try #require(Self.results(image, faces: [])[.banding]?.assessment)
    #expect(unaware.measure.native > 3, "hair, forehead, eyes and clothes alternate")
    let aware = try #require(Self.results(image, faces: [Self.face])[.banding])
    #expect(aware.assessment?.verdict != .suspect)
    #expect(aware.assessment.map { $0.measure.native < unaware.measure.native } ?? true)
  }

  @Test(arguments: [(90, 60, 40), (60, 220, 90), (30, 255, 110)])
  func `colored walls without people have no bands, and bands on them are detected`(wall: Int, blue: Int, red: Int)
    throws
  {
    let shade = Scenes.blobs()
    func verdict(bands: Float) throws -> SceneCheckResult.Verdict? {
      var image = YCbCrImage(
        luma: Scenes.drawn(320, 320) { x, y in
          Float(wall) / 2 + Float(y) / 8 + Float(shade.samples[y * 320 + x]) * 0.7
            + bands * Scenes.wave(Float(y) / 24)
        })
      image.blue = Plane(width: 160, height: 160, samples: .init(repeating: UInt8(blue), count: 25_600))!
      image.red = Plane(width: 160, height: 160, samples: .init(repeating: UInt8(red), count: 25_600))!
      return try #require(Self.results(image, faces: [])[.banding]).assessment?.verdict
    }
    #expect(try verdict(bands: 0) != .suspect)
    #expect(try verdict(bands: 45) == .suspect)
  }

  @Test func `bands beside a face are found`() {
    let banded = Scenes.adding(Scenes.blobs()) { _, y in 45 * Scenes.wave(Float(y) / 24) }
    let small = FaceBox(x: 0.4, y: 0.6, width: 0.15, height: 0.25)
    let found = Self.results(YCbCrImage(luma: banded), faces: [small])
    #expect(found[.banding]?.assessment?.verdict == .suspect)
  }

  @Test func `banding is not assessed if a face fills the image`() {
    let banded = Scenes.adding(Scenes.blobs()) { _, y in 45 * Scenes.wave(Float(y) / 24) }
    let found = Self.results(YCbCrImage(luma: banded), faces: [FaceBox(x: 0, y: 0.1, width: 1, height: 0.9)])
    #expect(found[.banding]?.outcome == .notAssessed(.faceFillsImage))
  }

  @Test func `moire and halftone are not assessed on a face that fills the image`() throws {
    let grid = Scenes.adding(Scenes.blobs()) { x, y in
      16 * Scenes.wave((Float(x) + 0.1 * Float(y)) / 2.7) + 16 * Scenes.wave((Float(y) - 0.1 * Float(x)) / 2.7)
    }
    let image = YCbCrImage(luma: grid)
    let large = FaceBox(x: 0.3, y: 0.3, width: 0.4, height: 0.4)
    let (without, with) = (Self.results(image, faces: []), Self.results(image, faces: [large]))
    let small = Self.results(image, faces: [FaceBox(x: 0.4, y: 0.4, width: 0.2, height: 0.25)])
    #expect(without[.moire]?.assessment?.verdict == .suspect && small[.moire] == without[.moire])
    #expect(small[.halftone] == without[.halftone])
    #expect(with[.moire]?.outcome == .notAssessed(.faceFillsImage) && with.moire == nil)
    #expect(with[.halftone]?.outcome == .notAssessed(.faceFillsImage))
    let weighed = try #require(with.aggregated)
    #expect(!weighed.contributions.contains { [.moire, .halftone].contains($0.check) })
    // The texture check measures whole images, as in training.
    #expect(with[.texture]?.assessment != nil && with[.texture] == without[.texture])
  }

  @Test func `the movement of a person is not parallax`() {
    // The disc in the center moves differently from the rest, as a head does, in front of the camera and on a screen.
    let burst = [0, 2, 4, 6].map { `Burst checks`.frame($0, near: 0) }
    let image = YCbCrImage(luma: Scenes.blobs(64, 64))
    let head = FaceBox(x: 0.28, y: 0.3, width: 0.44, height: 0.4)
    let (unaware, aware) = (
      Self.results(image, faces: [], burst: burst),
      Self.results(image, faces: [], burst: burst, burstFaces: [head])
    )
    #expect(unaware[.parallax]?.assessment?.verdict == .genuine)
    #expect(aware[.parallax]?.outcome == .notAssessed(.faceInView))
    #expect(aware[.flicker]?.assessment == unaware[.flicker]?.assessment)
  }
}
