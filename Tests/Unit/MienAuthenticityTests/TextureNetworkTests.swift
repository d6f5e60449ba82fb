import MienCore
import MienImaging
import Testing

@testable import MienAuthenticity

/// The input of the texture check's network, its features, and what the check makes of them.
@Suite struct `Texture check with its network` {
  static let size = TextureSquare.size

  static func square(_ plane: Plane, _ orientation: Orientation = .upright) throws -> [Float] {
    var image = SampledImage(YCbCrImage(luma: plane))
    image.orientation = orientation
    return try #require(TextureSquare(image)).samples
  }

  @Test func `the middle square is averaged over boxes`() throws {
    // Twice as large as the input, with bright borders left and right of the square.
    let plane = Scenes.drawn(600, 448) { x, y in x < 76 || x >= 524 ? 255 : Float(x % 2 * 40 + y % 2 * 20) }
    let samples = try Self.square(plane)
    #expect(samples.count == Self.size * Self.size)
    #expect(samples.allSatisfy { abs($0 - 30) < 1e-3 })
  }

  @Test(arguments: [(64, 90), (131, 200), (300, 300), (520, 700)])
  func `boxes of any size keep a constant and the mean of a ramp`(width: Int, height: Int) throws {
    let constant = try Self.square(Scenes.drawn(width, height) { _, _ in 77 })
    #expect(constant.allSatisfy { abs($0 - 77) < 1e-3 })
    let side = min(width, height)
    let ramp = try Self.square(Scenes.drawn(side, side) { x, _ in Float(x * 255 / side) })
    let mean = Float((0..<side).reduce(0) { $0 + $1 * 255 / side }) / Float(side)
    // The downscaled image may lack the last columns.
    #expect(abs(ramp.reduce(0, +) / Float(ramp.count) - mean) < 1.5)
  }

  @Test(arguments: Orientation.allCases)
  func `the square is upright`(orientation: Orientation) throws {
    let stored = Scenes.drawn(Self.size, Self.size) { x, y in x < 20 ? 200 : y < 50 ? 100 : 10 }
    var (frame, upright) = (Frame(width: Self.size, height: Self.size), Frame())
    for (index, tone) in stored.samples.enumerated() {
      frame[index % Self.size, index / Self.size] = Pixel(red: tone, green: tone, blue: tone)
    }
    frame.stand(upright: orientation, into: &upright)
    let samples = try Self.square(stored, orientation)
    #expect(zip(samples, upright.pixels).allSatisfy { abs($0 - Float($1.red)) < 1e-3 })
  }

  @Test func `images that the check does not assess have no square`() {
    for (width, height) in [(63, 500), (1100, 68)] {
      #expect(TextureSquare(SampledImage(YCbCrImage(luma: Scenes.drawn(width, height) { _, _ in 9 }))) == nil)
    }
  }

  @Test func `features are means and spreads by layer`() throws {
    let layers = TextureFeatures.channels.enumerated().map { layer, count in
      (0..<count).flatMap { channel in [Float(channel), Float(channel + 2 * layer)] }
    }
    let values = try #require(TextureFeatures(layers: layers)).values
    #expect(values.count == TextureFeatures.names.count && values.count == 1792)
    // The second layer comes after 128 means and 128 spreads.
    #expect(values[256 + 5] == 6 && values[256 + 256 + 5] == 1)
    #expect(TextureFeatures.names[256 + 256 + 5] == "net2.spread.5")
    #expect(TextureFeatures(layers: Array(layers.dropLast())) == nil)
    #expect(TextureFeatures(layers: [layers[0], layers[1], Array(layers[2].dropLast())]) == nil)
    #expect(TextureFeatures(layers: [layers[0], layers[1], layers[2].map { $0 / 0 }]) == nil)
  }

  private static func example() throws -> TextureFeatures {
    func numbers(_ text: String) -> [Float] { text.split(whereSeparator: \.isWhitespace).compactMap { Float($0) } }
    let pairs = zip(numbers(TextureNetworkParameters.usual), numbers(TextureNetworkParameters.spreads))
    let values = pairs.enumerated().map { number, pair in pair.0 + pair.1 * Float(number % 11 - 5) }
    return try #require(TextureFeatures(values: values))
  }

  @Test func `the program scores the training's example as the training does`() throws {
    let found = TextureNetworkScore.shipped.score(try Self.example())
    #expect(abs(found - TextureNetworkParameters.exampleScore) < 1e-3)
  }

  @Test(arguments: ["", "1 2", "x"]) func `malformed weights are rejected`(text: String) {
    let good = Array(repeating: "1", count: TextureFeatures.names.count).joined(separator: " ")
    #expect(TextureNetworkScore(usual: good, spreads: good, weights: good, offset: 0) != nil)
    #expect(TextureNetworkScore(usual: text, spreads: good, weights: good, offset: 0) == nil)
    #expect(TextureNetworkScore(usual: good, spreads: good, weights: text, offset: 0) == nil)
    let zero = Array(repeating: "0", count: TextureFeatures.names.count).joined(separator: " ")
    #expect(TextureNetworkScore(usual: good, spreads: zero, weights: good, offset: 0) == nil)
  }

  @Test func `without features the version without network is used and reported`() throws {
    var capture = CaptureInput(image: YCbCrImage(luma: Scenes.blobs()))
    let without = CaptureAnalyzer().analyze(capture)
    let features = try Self.example()
    capture.features = features
    let with = CaptureAnalyzer().analyze(capture)
    #expect(without[.texture]?.version == "4" && without.aggregated?.algorithmVersion == "2")
    #expect(with[.texture]?.version == "5" && with.aggregated?.algorithmVersion == "3")
    let (old, new) = (
      try #require(without[.texture]?.assessment), try #require(with[.texture]?.assessment)
    )
    #expect(old.threshold == TextureModelParameters.suspectFrom)
    #expect(new.threshold == TextureNetworkParameters.suspectFrom)
    let mean = (old.measure.native + TextureNetworkScore.shipped.score(features)) / 2
    #expect(abs(new.measure.native - mean) < 1e-9)
  }

  @Test(arguments: [(true, "3", "5"), (false, "2", "4")])
  func `published rates list the computed versions first`(
    network: Bool, aggregated: String, texture: String
  ) {
    let rows = PublishedErrorRates.shipped(withNetwork: network)
    #expect(Set(rows) == Set(PublishedErrorRates.shipped) && rows.count == PublishedErrorRates.shipped.count)
    #expect(rows.first { $0.check == "aggregated" }?.version == aggregated)
    #expect(rows.first { $0.check == "texture" }?.version == texture)
    // Results of servers with and without the network have rates.
    #expect(Set(rows.filter { $0.check == "texture" }.map(\.version)) == ["4", "5"])
    #expect(Set(rows.filter { $0.check == "aggregated" }.map(\.version)) == ["2", "3"])
  }
}
