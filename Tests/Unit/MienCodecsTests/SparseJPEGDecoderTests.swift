import Foundation
import MienImaging
import Testing

@testable import MienCodecs

/// The sparse decoder must return the same samples as the library's decoder.
@Suite struct `Sparse JPEG decoding` {
  /// Returns a plan with tiles of 16 pixels in two corners, in the center and at other block boundaries, and boxes of
  /// five pixels.
  static func sampling(_ width: Int, _ height: Int) -> SamplingPlan {
    let (right, bottom) = ((width - 16) / 8 * 8, (height - 16) / 8 * 8)
    return SamplingPlan(
      tileSize: 16, corners: [SIMD2(0, 0), SIMD2(right, bottom), SIMD2(8, 16), SIMD2(right, 0)], factor: 5,
      blockPace: 3)
  }

  static func own(_ bytes: [UInt8]) -> SampledImage? {
    let bytes = ContiguousArray(bytes)
    guard let sampler = SparseJPEGDecoder(bytes.span), sampler.width >= 32, sampler.height >= 32 else { return nil }
    return sampler.sample(bytes.span, sampling(sampler.width, sampler.height))
  }

  static func whole(_ bytes: [UInt8]) throws -> SampledImage {
    let image = try `YCbCr decoding`.planes(bytes)
    return SampledImage(image, sampling(image.width, image.height))
  }

  static func scene(_ width: Int, _ height: Int, contrast: Int = 1) -> Frame {
    var frame = Frame(width: width, height: height)
    var state: UInt64 = 7
    for y in 0..<height {
      for x in 0..<width {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let tone = 60 + (x * 3 + y * y / 9) % 140 + Int(state >> 60) * contrast
        frame[x, y] = Pixel(
          red: UInt8(clamping: tone), green: UInt8(clamping: 255 - tone), blue: UInt8(clamping: x * y % 256))
      }
    }
    return frame
  }

  static func worst(_ a: ContiguousArray<UInt8>, _ b: ContiguousArray<UInt8>) -> Int? {
    a.count == b.count ? zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0 : nil
  }

  static func expectSame(_ found: SampledImage, _ wanted: SampledImage, _ name: Comment) throws {
    #expect(found.width == wanted.width && found.height == wanted.height, name)
    #expect(found.coarse.width == wanted.coarse.width && found.coarse.height == wanted.coarse.height, name)
    #expect(found.hasColor == wanted.hasColor && found.lumaSteps == wanted.lumaSteps, name)
    #expect(found.tiles.count == wanted.tiles.count, name)
    #expect(try #require(worst(found.coarse.samples, wanted.coarse.samples), name) <= 1, name)
    #expect(try #require(worst(found.blocks, wanted.blocks), name) <= 1, name)
    for (tile, other) in zip(found.tiles, wanted.tiles) {
      for plane in [\YCbCrImage.luma, \.blue, \.red] {
        #expect(tile[keyPath: plane].width == other[keyPath: plane].width, name)
        #expect(
          try #require(worst(tile[keyPath: plane].samples, other[keyPath: plane].samples), name) <= 1, name)
      }
    }
  }

  @Test(arguments: [(64, 48), (61, 47), (33, 65), (200, 40)], [30, 75, 95, 100])
  func `samples agree with the library within one level`(size: (Int, Int), quality: Int) throws {
    let bytes = try JPEGEncoder().encode(Self.scene(size.0, size.1), quality: quality)
    try Self.expectSame(try #require(Self.own(bytes)), Self.whole(bytes), "quality \(quality)")
  }

  @Test func `samples of smooth, rough and clipped images agree`() throws {
    for contrast in [0, 4, 40] {
      let bytes = try JPEGEncoder().encode(Self.scene(96, 80, contrast: contrast), quality: 85)
      let (found, wanted) = (try #require(Self.own(bytes)), try Self.whole(bytes))
      // Means differ if single samples are clipped; tiles do not.
      if contrast < 40 { try Self.expectSame(found, wanted, "contrast \(contrast)") }
      for (tile, other) in zip(found.tiles, wanted.tiles) {
        #expect(try #require(Self.worst(tile.luma.samples, other.luma.samples)) <= 1)
      }
    }
  }

  @Test(arguments: DrawnJPEGs.all.map(\.name))
  func `the built-in decoder and the library agree for every kind of JPEG`(name: String) throws {
    let bytes = try #require(DrawnJPEGs.all.first { $0.name == name }).bytes
    let own = Self.own(bytes)
    let isOurs = name != "progressive" && name != "colors of a quarter of the width"
    #expect((own != nil) == isOurs)
    var decoder = try YCbCrDecoder()
    let taken = try decoder.sample(bytes, Self.sampling)
    try Self.expectSame(taken, Self.whole(bytes), "\(name)")
    if let own { try Self.expectSame(own, Self.whole(bytes), "\(name)") }
  }

  @Test(arguments: DrawnJPEGs.all.map(\.name))
  func `tiles are delivered as they are read`(name: String) throws {
    let bytes = try #require(DrawnJPEGs.all.first { $0.name == name }).bytes
    var decoder = try YCbCrDecoder()
    var early: [YCbCrImage] = []
    let image = try decoder.sample(bytes, Self.sampling) { early.append($0) }
    guard Self.own(bytes) != nil else { return #expect(early.isEmpty) }
    // From top to bottom; tiles of the same row in the order of corners.
    let corners = image.sampling.corners
    let order = corners.indices.sorted { (corners[$0].y, $0) < (corners[$1].y, $1) }
    try #require(early.count == image.tiles.count)
    for (tile, number) in zip(early, order) { #expect(Self.isSame(tile, image.tiles[number])) }
  }

  static func isSame(_ a: YCbCrImage, _ b: YCbCrImage) -> Bool {
    a.luma.samples == b.luma.samples && a.blue.samples == b.blue.samples && a.red.samples == b.red.samples
  }

  @Test func `samples keep the sensor's orientation`() throws {
    let bytes = `JPEG images`.oriented(
      try JPEGEncoder().encode(Self.scene(64, 48)), UInt8(Orientation.quarterRight.rawValue), bigEndian: false)
    var decoder = try YCbCrDecoder()
    let image = try decoder.sample(bytes, Self.sampling)
    #expect(image.orientation == .quarterRight)
    #expect(image.width == 64)
  }

  @Test func `truncated or damaged images that the library rejects give no samples`() throws {
    for name in ["restart markers", "codes made for it", "gray"] {
      let bytes = try #require(DrawnJPEGs.all.first { $0.name == name }).bytes
      for length in stride(from: 0, to: bytes.count, by: 7) { #expect(Self.own(Array(bytes[..<length])) == nil) }
      for offset in 2..<bytes.count {
        var damaged = bytes
        damaged[offset] ^= [0xFF, 0x01, 0x10][offset % 3]
        guard Self.own(damaged) != nil else { continue }
        #expect(throws: Never.self, "\(name), byte \(offset)") { try `YCbCr decoding`.planes(damaged) }
      }
    }
  }

  @Test func `an image that is too large is rejected by its header`() throws {
    let bytes = try JPEGEncoder().encode(Self.scene(64, 48))
    let error = #expect(throws: ImageCodecError.self) {
      var decoder = try YCbCrDecoder(limits: ImageLimits(pixels: 1000))
      _ = try decoder.sample(bytes, Self.sampling)
    }
    #expect(error?.code == .tooLarge)
  }
}
