import MienCodecs
import MienImaging
import Testing

@Suite struct `PNG images` {
  private let depths: [UInt16] = [0, 1, 255, 256, 700, 65_535]

  private func depthMap(extra: [(String, [UInt8])] = []) -> [UInt8] {
    let rows = [depths[..<3], depths[3...]].map { $0.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
    return PNGWriter.png(width: 3, height: 2, bitDepth: 16, colorType: 0, rows: rows, extra: extra)
  }

  private func colors() -> [UInt8] {
    PNGWriter.png(
      width: 2, height: 2, bitDepth: 8, colorType: 2, rows: [[255, 0, 0, 0, 255, 0], [0, 0, 255, 9, 8, 7]])
  }

  @Test func `colors are decoded exactly`() throws {
    let frame = try `JPEG images`.decoded(colors())
    #expect(frame[0, 0] == Pixel(red: 255, green: 0, blue: 0))
    #expect(frame[1, 0] == Pixel(red: 0, green: 255, blue: 0))
    #expect(frame[1, 1] == Pixel(red: 9, green: 8, blue: 7))
  }

  // A gamma of 1/2.2 or an sRGB chunk would alter the samples if applied.
  @Test(arguments: [[], [("gAMA", [0, 0, 0xB1, 0x8F])], [("sRGB", [0])]] as [[(String, [UInt8])]])
  func `depth samples are decoded without color conversion`(extra: [(String, [UInt8])]) throws {
    let map = try PNGDecoder().decodeGray16(depthMap(extra: extra))
    #expect(map.width == 3)
    #expect(map.height == 2)
    #expect(map.samples == depths)
  }

  @Test func `other pixel formats are rejected as depth maps`() {
    let error = #expect(throws: ImageCodecError.self) { try PNGDecoder().decodeGray16(colors()) }
    #expect(error?.code == .unsupported)
  }

  @Test func `a truncated image is rejected wherever it ends`() {
    // The twelve bytes of the end chunk contain no pixels, and the decoder does not require them.
    for length in 0..<colors().count - 16 {
      #expect(throws: ImageCodecError.self, "\(length) bytes") { try `JPEG images`.decoded(Array(colors()[..<length])) }
    }
  }

  @Test func `a wrong checksum is rejected`() {
    var bytes = colors()
    let data = bytes.count - 12 - 4 - 8
    bytes[data] ^= 1
    let error = #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(bytes) }
    #expect(error?.code == .corrupt)
  }

  @Test(arguments: [(100_000, 100_000), (0x7FFF_FFFF, 0x7FFF_FFFF), (16_000_001, 1)])
  func `a header that claims too many pixels is rejected`(width: Int, height: Int) {
    let bytes = PNGWriter.png(width: width, height: height, bitDepth: 8, colorType: 2, rows: [[0]])
    let error = #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(bytes) }
    #expect(error?.code == .tooLarge)
  }

  @Test(arguments: [(32_769, 1), (1, 300_000)])
  func `a header that claims too long a side is rejected regardless of the pixel count`(width: Int, height: Int) {
    let bytes = PNGWriter.png(width: width, height: height, bitDepth: 8, colorType: 0, rows: [[0]])
    let errors: [ImageCodecError?] = [
      #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(bytes) },
      #expect(throws: ImageCodecError.self) { try `YCbCr decoding`.planes(bytes) },
      #expect(throws: ImageCodecError.self) { try PNGDecoder().decodeGray8(bytes) },
      #expect(throws: ImageCodecError.self) { try PNGDecoder().decodeGray16(bytes) },
    ]
    for error in errors { #expect(error?.code == .tooLarge) }
  }

  @Test func `a side of the maximum length is decoded`() throws {
    let row = [UInt8](repeating: 7, count: 32_768)
    let bytes = PNGWriter.png(width: row.count, height: 1, bitDepth: 8, colorType: 0, rows: [row])
    #expect(try PNGDecoder().decodeGray8(bytes).samples == row)
  }

  @Test func `an image without pixels is rejected`() {
    let bytes = PNGWriter.png(width: 0, height: 4, bitDepth: 8, colorType: 2, rows: [[0]])
    let error = #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(bytes) }
    #expect(error?.code == .notAImage)
  }

  @Test func `formats are detected by their first bytes`() throws {
    #expect(ImageFormat.sniff(colors()) == .png)
    #expect(ImageFormat.sniff(try `JPEG images`.encoded()) == .jpeg)
    #expect(ImageFormat.sniff([UInt8]()) == nil)
    #expect(ImageFormat.sniff("RIFF....WAVE".utf8) == nil)
  }
}
