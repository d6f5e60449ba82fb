import MienAuthenticity
import MienImaging
import Testing

/// Tiles may be measured by another core while the rest is read: who measured them must not show in any result.
@Suite struct `Tiles measured early` {
  static func picture(_ width: Int, _ height: Int, colour: Bool) -> SampledPicture {
    var whole = PlanarPicture(luma: Scenes.blobs(width, height, seed: 3))
    if colour {
      whole.blue = Scenes.blobs((width + 1) / 2, (height + 1) / 2, seed: 4)
      whole.red = Scenes.blobs((width + 1) / 2, (height + 1) / 2, seed: 5)
    }
    return SampledPicture(whole)
  }

  static func readings(_ tiles: some Sequence<PlanarPicture>) throws -> [TileReading] {
    var meter = TileMeter()
    let readings = tiles.map { meter.read($0) }
    return try readings.map { try #require($0) }
  }

  static func parts(_ scene: SceneCapture) -> [SceneAnalyser.Part] {
    SceneAnalyser().jobs(for: scene).map { $0.run() }
  }

  static func expectSame(
    _ parts: [SceneAnalyser.Part], _ plain: [SceneAnalyser.Part], of picture: SampledPicture, _ name: Comment
  ) {
    let analyser = SceneAnalyser()
    #expect(analyser.assemble(parts) == analyser.assemble(plain), name)
    #expect(
      analyser.exhibits(picture, from: parts)?.spectrum.pixels
        == analyser.exhibits(picture, from: plain)?.spectrum.pixels, name)
  }

  @Test(arguments: [(70, 90, false), (200, 131, true), (520, 300, true), (601, 700, false)])
  func `leave every result as it is, all of them or some, in any order`(
    width: Int, height: Int, colour: Bool
  ) throws {
    let picture = Self.picture(width, height, colour: colour)
    let plain = Self.parts(SceneCapture(picture: picture))
    let all = try Self.readings(picture.tiles)
    for (name, tiles) in ["all": all, "first": Array(all.prefix(1)), "last, turned round": all.suffix(3).reversed()] {
      var scene = SceneCapture(picture: picture)
      scene.tiles = tiles
      Self.expectSame(Self.parts(scene), plain, of: picture, Comment(rawValue: name))
    }
  }

  @Test func `of another picture count for nothing`() throws {
    let picture = Self.picture(520, 300, colour: true)
    var scene = SceneCapture(picture: picture)
    scene.tiles = try Self.readings(Self.picture(520, 300, colour: false).tiles)
    scene.tiles += try picture.tiles.map { tile in
      var changed = tile
      changed.red.writeSamples { $0[77] ^= 1 }
      return try #require(try Self.readings([changed]).first)
    }
    Self.expectSame(Self.parts(scene), Self.parts(SceneCapture(picture: picture)), of: picture, "other tiles")
  }

  @Test func `are squares of a size that the checks have`() {
    var meter = TileMeter()
    for (width, height) in [(0, 0), (8, 8), (100, 100), (256, 128), (512, 512)] {
      #expect(meter.read(PlanarPicture(luma: Scenes.blobs(width, height))) == nil)
    }
    #expect(meter.read(PlanarPicture(luma: Scenes.blobs(128, 128))) != nil)
  }

  @Test func `print no sample`() throws {
    let reading = try #require(try Self.readings([PlanarPicture(luma: Scenes.blobs(64, 64))]).first)
    var dumped = ""
    dump(reading, to: &dumped)
    #expect("\(reading)" == "TileReading(64×64)" && !dumped.contains("samples"))
  }
}
