import MienImaging
import Testing

@testable import MienCodecs

/// Kinds of JPEG and PNG that viewers show, and formats that are named when they are rejected.
@Suite struct `Kinds of JPEG and PNG` {
  @Test(arguments: [DrawnPhotos.cmykOfAdobe, DrawnPhotos.cmyk, DrawnPhotos.ycck, DrawnPhotos.rgb])
  func `inks and plain colors are converted`(bytes: [UInt8]) throws {
    let difference = try #require(DrawnPhotos.difference(try `JPEG images`.decoded(bytes), DrawnPhotos.frame))
    #expect(difference < 1)
    let planes = try `HEIC and AVIF images`.planes(bytes)
    let drawn = YCbCrImage(DrawnPhotos.frame)
    let sum = zip(planes.luma.samples, drawn.luma.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(planes.luma.samples.count == drawn.luma.samples.count)
    #expect(Double(sum) / Double(drawn.luma.samples.count) < 1)
  }

  /// Two bytes before the second marker, and before the end.
  @Test func `stray bytes before a marker do not matter`() throws {
    let plain = try `JPEG images`.encoded()
    let second = 4 + Int(plain[4]) << 8 + Int(plain[5])
    let offsets = [second, plain.count - 2]
    for offset in offsets {
      let bytes = [UInt8](plain[..<offset] + [0, 7] + plain[offset...])
      #expect(try `JPEG images`.decoded(bytes).pixels == `JPEG images`.decoded(plain).pixels)
      let planes = try `HEIC and AVIF images`.planes(bytes)
      #expect(try planes.luma.samples == `HEIC and AVIF images`.planes(plain).luma.samples)
    }
    // EXIF after them still counts.
    let exif = `JPEG images`.oriented([0xFF, 0xD8], 6, bigEndian: true).dropFirst(2)
    let turned = [UInt8](plain[..<second] + [1, 2] + exif + plain[second...])
    #expect(try `HEIC and AVIF images`.planes(turned).orientation == .quarterRight)
    let many = [UInt8](plain[..<second] + [UInt8](repeating: 1, count: 17) + plain[second...])
    #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(many) }
  }

  @Test func `EXIF turns a PNG`() throws {
    let exif = [UInt8](`JPEG images`.oriented([0xFF, 0xD8], 8, bigEndian: true).dropFirst(12))
    let png = PNGWriter.png(
      width: 2, height: 1, bitDepth: 8, colorType: 2, rows: [[9, 0, 0, 0, 8, 0]], extra: [("eXIf", exif)])
    let frame = try `JPEG images`.decoded(png)
    #expect((frame.width, frame.height) == (1, 2))
    #expect((frame[0, 0].green, frame[0, 1].red) == (8, 9))
    let planes = try `HEIC and AVIF images`.planes(png)
    #expect((planes.width, planes.height, planes.orientation) == (2, 1, .quarterLeft))
    let noted = PNGWriter.png(
      width: 2, height: 1, bitDepth: 8, colorType: 2, rows: [[9, 0, 0, 0, 8, 0]], extra: [("eXIf", ExampleEXIF().tiff)])
    #expect(ImageProvenanceReader.read(noted) == ImageProvenanceReader.read(ExampleEXIF().jpeg))
  }

  /// 16 bits have the same meaning as 8, and no gamma is applied.
  @Test func `sixteen bits without color information are sRGB`() throws {
    let levels: [UInt8] = [0, 10, 60, 128, 200, 255]
    let deep = PNGWriter.png(
      width: 2, height: 1, bitDepth: 16, colorType: 2, rows: [levels.flatMap { [$0, $0] }])
    let plain = PNGWriter.png(width: 2, height: 1, bitDepth: 8, colorType: 2, rows: [levels])
    #expect(try `JPEG images`.decoded(deep).pixels == `JPEG images`.decoded(plain).pixels)
    #expect(try `HEIC and AVIF images`.planes(deep).luma.samples == `HEIC and AVIF images`.planes(plain).luma.samples)
  }

  @Test(
    arguments: [
      ([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0], "TIFF"),
      ([0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0xC6, 0x12, 0, 1, 0, 0, 0, 4, 1, 4, 0, 0], "RAW"),
      ([0x49, 0x49, 42, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], "RAW"),
      (HEIFBuilder.box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8)), "RAW"),
      (Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [40] + [UInt8](repeating: 0, count: 20), "BMP"),
      (Array("GIF89a".utf8), "GIF"), ([0xFF, 0x0A, 1, 2], "JPEG XL"), (Array("%PDF-1.7".utf8), "PDF"),
      (HEIFBuilder.box("ftyp", Array("isom\0\0\0\0mp42".utf8)), "video"),
    ] as [([UInt8], String)])
  func `other formats are named and rejected with what to do`(bytes: [UInt8], name: String) {
    let errors: [ImageCodecError?] = [
      #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(bytes) },
      #expect(throws: ImageCodecError.self) { try `HEIC and AVIF images`.planes(bytes) },
      #expect(throws: ImageCodecError.self) { try ImageFormat.expect(bytes) },
    ]
    for error in errors {
      #expect(error?.code == .notAImage)
      #expect(error?.reason.contains(name) == true && error?.reason.contains("JPEG") == true)
    }
  }
}
