import Foundation
import MienCodecs
import MienImaging
import Testing

@Suite struct `YCbCr decoding` {
  static func planes(_ bytes: [UInt8], _ limits: ImageLimits = ImageLimits()) throws(ImageCodecError) -> YCbCrImage {
    var image = YCbCrImage()
    var decoder = try YCbCrDecoder(limits: limits)
    try decoder.decode(bytes, into: &image)
    return image
  }

  @Test(arguments: [(48, 32), (33, 17), (1, 1), (16, 9)])
  func `planes match the decoded image`(width: Int, height: Int) throws {
    let bytes = try JPEGEncoder().encode(`JPEG images`.ramp(width, height), quality: 95)
    let image = try Self.planes(bytes)
    let reference = YCbCrImage(try `JPEG images`.decoded(bytes))
    #expect(image.width == width)
    #expect(image.height == height)
    #expect(image.hasColor)
    let worst = zip(image.luma.samples, reference.luma.samples).map { abs(Int($0) - Int($1)) }.max()
    #expect(try #require(worst) <= 3)
    #expect(image.lumaSteps?.count == 64)
    #expect(image.lumaSteps?.allSatisfy { $0 > 0 } == true)
  }

  @Test(arguments: Orientation.allCases)
  func `planes keep the sensor's orientation and report it`(orientation: Orientation) throws {
    let bytes = `JPEG images`.oriented(try `JPEG images`.encoded(), UInt8(orientation.rawValue), bigEndian: true)
    let image = try Self.planes(bytes)
    #expect(image.orientation == orientation)
    #expect(image.width == 48)
    #expect(image.height == 32)
  }

  @Test func `every truncated JPEG is rejected`() throws {
    let bytes = try `JPEG images`.encoded()
    for length in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: ImageCodecError.self) { try Self.planes(Array(bytes[..<length])) }
    }
  }

  @Test func `an image that is too large is rejected by its header`() throws {
    let error = #expect(throws: ImageCodecError.self) {
      try Self.planes(`JPEG images`.encoded(), ImageLimits(pixels: 100))
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func `bytes that are not an image are reported`() {
    for bytes: [UInt8] in [[], [1, 2, 3], Array("ftypheic".utf8), [0xFF, 0xD8, 0xFF]] {
      let error = #expect(throws: ImageCodecError.self) { try Self.planes(bytes) }
      #expect(error?.code == .notAImage)
    }
  }
}
