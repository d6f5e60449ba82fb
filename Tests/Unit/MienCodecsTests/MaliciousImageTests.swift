import MienCodecs
import MienImaging
import Testing

/// Files designed to consume excessive time.
@Suite struct `Malicious images` {
  private static let rows: [[UInt8]] = [[255, 0, 0, 0, 255, 0], [0, 0, 255, 9, 8, 7]]

  private func colors(extra: [(String, [UInt8])]) -> [UInt8] {
    PNGWriter.png(width: 2, height: 2, bitDepth: 8, colorType: 2, rows: Self.rows, extra: extra)
  }

  /// Chunks that libpng would report as damaged.
  @Test(arguments: ["zTXt", "iTXt", "iCCP", "tEXt", "eXIf", "gAMA", "hIST", "sPLT", "abCd"])
  func `chunks without pixels never reach the decoder`(name: String) throws {
    let bomb = [UInt8](repeating: 0xFF, count: 200)
    let frame = try `JPEG images`.decoded(colors(extra: Array(repeating: (name, bomb), count: 300)))
    #expect(frame[0, 0] == Pixel(red: 255, green: 0, blue: 0))
    #expect(frame[1, 1] == Pixel(red: 9, green: 8, blue: 7))
    let depth = PNGWriter.png(
      width: 1, height: 1, bitDepth: 16, colorType: 0, rows: [[2, 188]],
      extra: Array(repeating: (name, bomb), count: 300))
    #expect(try PNGDecoder().decodeGray16(depth).samples == [700])
    let confidence = PNGWriter.png(
      width: 1, height: 1, bitDepth: 8, colorType: 0, rows: [[7]], extra: Array(repeating: (name, bomb), count: 300))
    #expect(try PNGDecoder().decodeGray8(confidence).samples == [7])
  }

  @Test func `a PNG with too many chunks is rejected`() {
    let file = colors(extra: Array(repeating: ("tEXt", []), count: 20_001))
    let error = #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(file) }
    #expect(error?.code == .tooLarge)
  }

  @Test func `image data beyond the pixels' size is rejected`() {
    let file = colors(extra: [("IDAT", [UInt8](repeating: 0, count: 1 << 20))])
    let error = #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(file) }
    #expect(error?.code == .corrupt)
  }

  /// Returns a progressive JPEG of one gray block whose scans after the first contain a single bit.
  private func progressive(scans: Int, frame: UInt8 = 0xC2, between: [UInt8] = []) -> [UInt8] {
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }
    var file: [UInt8] = [0xFF, 0xD8]
    file += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    file += segment(frame, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
    // One code of one bit: no change, and the end of the block.
    file += segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
    file += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    file += segment(0xDA, [1, 1, 0, 0, 0, 0]) + [0x7F]
    for number in 1..<max(scans, 1) {
      file += between
      let coefficient = UInt8(1 + (number - 1) % 63)
      file += segment(0xDA, [1, 1, 0, coefficient, coefficient, 0]) + [0x7F]
    }
    return file + [0xFF, 0xD9]
  }

  @Test func `twenty scans are read and one more is rejected by every decoder`() throws {
    #expect(try `JPEG images`.decoded(progressive(scans: 20)).width == 8)
    #expect(try `YCbCr decoding`.planes(progressive(scans: 20)).width == 8)
    for file in [progressive(scans: 21), progressive(scans: 490), progressive(scans: 21, between: [0xFF, 0xFF, 0xFF])] {
      let errors: [ImageCodecError?] = [
        #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(file) },
        #expect(throws: ImageCodecError.self) { try `YCbCr decoding`.planes(file) },
      ]
      for error in errors { #expect(error?.code == .tooLarge) }
    }
  }

  @Test func `the product of scans and pixels is limited`() {
    var limits = ImageLimits()
    limits.scannedPixels = 8 * 8 * 5
    let error = #expect(throws: ImageCodecError.self) {
      var decoder = try JPEGDecoder(limits: limits)
      var frame = Frame()
      try decoder.decode(progressive(scans: 6), into: &frame)
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func `arithmetic coding is rejected`() {
    for frame in [0xC9, 0xCA] as [UInt8] {
      #expect(throws: ImageCodecError.self) { try `JPEG images`.decoded(progressive(scans: 1, frame: frame)) }
    }
  }

  @Test func `an image over a lower limit is rejected by its header`() throws {
    var decoder = try ImageDecoder()
    var frame = Frame()
    let (jpeg, png) = (try JPEGEncoder().encode(Frame(width: 64, height: 64)), colors(extra: []))
    try decoder.decode(jpeg, into: &frame)
    decoder.mostPixels = 3
    for file in [jpeg, png] {
      do {
        try decoder.decode(file, into: &frame)
        Issue.record("it was decoded")
      } catch {
        #expect(error.code == .tooLarge)
      }
    }
  }
}
