import Foundation
import MienCodecs
import MienImaging
import Testing

@Suite struct `Planes of pictures` {
  static func planes(_ bytes: [UInt8], _ limits: PictureLimits = PictureLimits()) throws(PictureError) -> PlanarPicture
  {
    var picture = PlanarPicture()
    var decoder = try PlanarDecoder(limits: limits)
    try decoder.decode(bytes, into: &picture)
    return picture
  }

  @Test(arguments: [(48, 32), (33, 17), (1, 1), (16, 9)])
  func `planes fit the decoded picture`(width: Int, height: Int) throws {
    let bytes = try JPEGEncoder().encode(`JPEG pictures`.ramp(width, height), quality: 95)
    let picture = try Self.planes(bytes)
    let reference = PlanarPicture(try `JPEG pictures`.decoded(bytes))
    #expect(picture.width == width)
    #expect(picture.height == height)
    #expect(picture.hasColour)
    let worst = zip(picture.luma.samples, reference.luma.samples).map { abs(Int($0) - Int($1)) }.max()
    #expect(try #require(worst) <= 3)
    #expect(picture.lumaSteps?.count == 64)
    #expect(picture.lumaSteps?.allSatisfy { $0 > 0 } == true)
  }

  @Test(arguments: Orientation.allCases)
  func `planes lie as the sensor read them, and say how to turn them`(orientation: Orientation) throws {
    let bytes = `JPEG pictures`.oriented(try `JPEG pictures`.encoded(), UInt8(orientation.rawValue), bigEndian: true)
    let picture = try Self.planes(bytes)
    #expect(picture.orientation == orientation)
    #expect(picture.width == 48)
    #expect(picture.height == 32)
  }

  @Test func `every cut JPEG is refused`() throws {
    let bytes = try `JPEG pictures`.encoded()
    for length in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: PictureError.self) { try Self.planes(Array(bytes[..<length])) }
    }
  }

  @Test func `a picture too large is refused by its header`() throws {
    let error = #expect(throws: PictureError.self) {
      try Self.planes(`JPEG pictures`.encoded(), PictureLimits(pixels: 100))
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func `what is no picture is told so`() {
    for bytes: [UInt8] in [[], [1, 2, 3], Array("ftypheic".utf8), [0xFF, 0xD8, 0xFF]] {
      let error = #expect(throws: PictureError.self) { try Self.planes(bytes) }
      #expect(error?.code == .notAPicture)
    }
  }
}
