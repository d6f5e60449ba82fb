import MienAuthenticity
import MienImaging
import Testing

/// Tiles may be measured on another core during decoding: results must not depend on it.
@Suite struct `Precomputed tile measurements` {
  static func image(_ width: Int, _ height: Int, color: Bool) -> SampledImage {
    var whole = YCbCrImage(luma: Scenes.blobs(width, height, seed: 3))
    if color {
      whole.blue = Scenes.blobs((width + 1) / 2, (height + 1) / 2, seed: 4)
      whole.red = Scenes.blobs((width + 1) / 2, (height + 1) / 2, seed: 5)
    }
    return SampledImage(whole)
  }

  static func readings(_ tiles: some Sequence<YCbCrImage>) throws -> [TileMeasurement] {
    var meter = StreamingTileMeasurer()
    let readings = tiles.map { meter.read($0) }
    return try readings.map { try #require($0) }
  }

  static func parts(_ scene: CaptureInput) -> [CaptureAnalyzer.Part] {
    CaptureAnalyzer().jobs(for: scene).map { $0.run() }
  }

  static func expectSame(
    _ parts: [CaptureAnalyzer.Part], _ plain: [CaptureAnalyzer.Part], of image: SampledImage, _ name: Comment
  ) {
    let analyzer = CaptureAnalyzer()
    #expect(analyzer.assemble(parts) == analyzer.assemble(plain), name)
    #expect(
      analyzer.visualizations(image, from: parts)?.spectrum.pixels
        == analyzer.visualizations(image, from: plain)?.spectrum.pixels, name)
  }

  @Test(arguments: [(70, 90, false), (200, 131, true), (520, 300, true), (601, 700, false)])
  func `results are unchanged by all or some precomputed tiles in any order`(
    width: Int, height: Int, color: Bool
  ) throws {
    let image = Self.image(width, height, color: color)
    let plain = Self.parts(CaptureInput(image: image))
    let all = try Self.readings(image.tiles)
    for (name, tiles) in ["all": all, "first": Array(all.prefix(1)), "last, turned round": all.suffix(3).reversed()] {
      var scene = CaptureInput(image: image)
      scene.tiles = tiles
      Self.expectSame(Self.parts(scene), plain, of: image, Comment(rawValue: name))
    }
  }

  @Test func `tiles of another image are ignored`() throws {
    let image = Self.image(520, 300, color: true)
    var scene = CaptureInput(image: image)
    scene.tiles = try Self.readings(Self.image(520, 300, color: false).tiles)
    scene.tiles += try image.tiles.map { tile in
      var changed = tile
      changed.red.writeSamples { $0[77] ^= 1 }
      return try #require(try Self.readings([changed]).first)
    }
    Self.expectSame(Self.parts(scene), Self.parts(CaptureInput(image: image)), of: image, "other tiles")
  }

  @Test func `tiles are squares of a size used by the checks`() {
    var meter = StreamingTileMeasurer()
    for (width, height) in [(0, 0), (8, 8), (100, 100), (256, 128), (512, 512)] {
      #expect(meter.read(YCbCrImage(luma: Scenes.blobs(width, height))) == nil)
    }
    #expect(meter.read(YCbCrImage(luma: Scenes.blobs(128, 128))) != nil)
  }

  @Test func `printing reveals no sample`() throws {
    let reading = try #require(try Self.readings([YCbCrImage(luma: Scenes.blobs(64, 64))]).first)
    var dumped = ""
    dump(reading, to: &dumped)
    #expect("\(reading)" == "TileMeasurement(64×64)" && !dumped.contains("samples"))
  }
}
