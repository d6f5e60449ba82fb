import Foundation
import MienCodecs
import MienImaging
import Testing

@Suite struct `JPEG images` {
  /// Returns an image whose red increases to the right and whose green increases downward.
  static func ramp(_ width: Int = 48, _ height: Int = 32) -> Frame {
    var frame = Frame(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { frame[x, y] = Pixel(red: UInt8(40 + 4 * x), green: UInt8(40 + 5 * y), blue: 90) }
    }
    return frame
  }

  static func encoded(_ frame: Frame = ramp()) throws -> [UInt8] { try JPEGEncoder().encode(frame, quality: 95) }

  static func decoded(_ bytes: [UInt8], _ limits: ImageLimits = ImageLimits()) throws(ImageCodecError) -> Frame {
    var frame = Frame()
    var decoder = try ImageDecoder(limits: limits)
    try decoder.decode(bytes, into: &frame)
    return frame
  }

  /// Adds an APP1 segment with an orientation.
  static func oriented(_ bytes: [UInt8], _ value: UInt8, bigEndian: Bool) -> [UInt8] {
    let tiff: [UInt8] =
      bigEndian
      ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]
      : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0]
    let content = Array("Exif".utf8) + [0, 0] + tiff
    return bytes[..<2] + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + bytes[2...]
  }

  private func difference(_ a: Pixel, _ b: Pixel) -> Int {
    [abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)), abs(Int(a.blue) - Int(b.blue))].max()!
  }

  @Test func `an encoded image decodes to the same pixels`() throws {
    let frame = try Self.decoded(Self.encoded())
    #expect(frame.width == 48)
    #expect(frame.height == 32)
    let original = Self.ramp()
    let worst = zip(frame.pixels, original.pixels).map { difference($0, $1) }.max()
    #expect(try #require(worst) < 16)
  }

  @Test(arguments: Orientation.allCases, [true, false])
  func `the EXIF orientation is applied`(orientation: Orientation, bigEndian: Bool) throws {
    let bytes = try Self.encoded()
    let plain = try Self.decoded(bytes)
    let turned = try Self.decoded(Self.oriented(bytes, UInt8(orientation.rawValue), bigEndian: bigEndian))
    var wanted = Frame()
    plain.stand(upright: orientation, into: &wanted)
    #expect(turned.width == wanted.width)
    #expect(turned.pixels == wanted.pixels)
  }

  @Test(arguments: [0, 9, 255])
  func `an invalid EXIF orientation is ignored`(value: UInt8) throws {
    let bytes = try Self.encoded()
    #expect(try Self.decoded(Self.oriented(bytes, value, bigEndian: true)).pixels == Self.decoded(bytes).pixels)
  }

  @Test func `a truncated image is rejected wherever it ends`() throws {
    let bytes = try Self.encoded()
    for length in 0..<bytes.count - 2 {
      let error = #expect(throws: ImageCodecError.self) { try Self.decoded(Array(bytes[..<length])) }
      #expect(error?.code == .notAImage || error?.code == .corrupt, "\(length) bytes")
    }
  }

  @Test func `a damaged image is rejected or decoded without trapping`() throws {
    let bytes = try Self.encoded()
    var refused = 0
    for offset in 2..<bytes.count {
      var damaged = bytes
      damaged[offset] ^= 0xFF
      do throws(ImageCodecError) { _ = try Self.decoded(damaged, ImageLimits(pixels: 100_000)) } catch { refused += 1 }
    }
    #expect(refused > 50)
  }

  @Test func `a header that claims too many pixels is rejected before decoding`() throws {
    var bytes = try Self.encoded()
    let frameHeader = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    for offset in frameHeader + 5..<frameHeader + 9 { bytes[offset] = 0xFD }
    let error = #expect(throws: ImageCodecError.self) { try Self.decoded(bytes) }
    #expect(error?.code == .tooLarge)
    let small = #expect(throws: ImageCodecError.self) {
      try Self.decoded(Self.encoded(), ImageLimits(pixels: 48 * 32 - 1))
    }
    #expect(small?.code == .tooLarge)
    #expect(throws: Never.self) { try Self.decoded(Self.encoded(), ImageLimits(pixels: 48 * 32)) }
  }

  @Test func `a header that claims too long a side is rejected by every decoder`() throws {
    var bytes = try Self.encoded()
    let frameHeader = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    // One row of 40 000 pixels.
    bytes.replaceSubrange(frameHeader + 5..<frameHeader + 9, with: [0, 1, 0x9C, 0x40])
    let upright = #expect(throws: ImageCodecError.self) { try Self.decoded(bytes) }
    let planes = #expect(throws: ImageCodecError.self) { try `YCbCr decoding`.planes(bytes) }
    let sampled = #expect(throws: ImageCodecError.self) {
      var decoder = try YCbCrDecoder()
      _ = try decoder.sample(bytes, `Sparse JPEG decoding`.sampling)
    }
    #expect(upright?.code == .tooLarge && planes?.code == .tooLarge && sampled?.code == .tooLarge)
  }

  @Test(
    arguments: [
      [], [0xFF], [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("<html>".utf8), Array(repeating: 0, count: 5000),
    ] as [[UInt8]])
  func `bytes that are not an image are rejected`(bytes: [UInt8]) {
    let error = #expect(throws: ImageCodecError.self) { try Self.decoded(bytes) }
    #expect(error?.code == .notAImage)
  }

  // Created for this test: 16 × 16 pixels of one color, and a progressive gradient.
  private static let gray =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0o"
    + "MCUoKSj/wAALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/AJ2A/9k="

  @Test func `a gray image is read`() throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.gray)))
    let frame = try Self.decoded(bytes)
    #expect(frame[8, 8] == Pixel(red: 77, green: 77, blue: 77))
  }

  @Test func `an empty frame cannot be encoded`() {
    let error = #expect(throws: ImageCodecError.self) { try JPEGEncoder().encode(Frame()) }
    #expect(error?.code == .unsupported)
  }

  @Test func `buffers are reused for the next image`() throws {
    var decoder = try JPEGDecoder()
    var frame = Frame()
    try decoder.decode(Self.encoded(), into: &frame)
    try decoder.decode(Self.encoded(Self.ramp(8, 8)), into: &frame)
    #expect(frame.width == 8)
    #expect(frame.pixels.count == 64)
  }
}
