import MienImaging
import Testing

@Suite struct `Image layout` {
  /// SOI, a comment that contains an EOI, a scan with a stuffed zero and a restart marker, another scan, EOI.
  private let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 0xFF, 0xD9, 0xFF, 0xDA, 0, 3, 1, 7, 0xFF, 0, 8, 0xFF, 0xD3, 9]
    + [0xFF, 0xFF, 0xDA, 0, 2, 5, 0xFF, 0xD9]
  /// IHDR, a text chunk, IEND.
  private let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + [0, 0, 0, 13] + Array("IHDR".utf8) + [UInt8](repeating: 1, count: 17)
    + [0, 0, 0, 4] + Array("tEXtIEND".utf8) + [0, 0, 0, 0] + [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]

  @Test func `trailing bytes are not part of the image`() {
    for image in [jpeg, png] {
      #expect(ImageLayout(image)?.end == image.count)
      #expect(ImageLayout(image + [0])?.end == image.count)
      #expect(ImageLayout(image + image)?.end == image.count)
    }
  }

  @Test func `a truncated or invalid image has no layout`() {
    for image in [jpeg, png] {
      for count in 0..<image.count { #expect(ImageLayout(Array(image.prefix(count))) == nil, "\(count)") }
    }
    #expect(ImageLayout(Array("GIF89a".utf8) + jpeg) == nil)
    #expect(ImageLayout([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 1]) == nil)
  }

  @Test func `comments and application segments are not content and scans are`() throws {
    let layout = try #require(ImageLayout(jpeg))
    #expect(layout.content == [8..<20, 21..<26])
    let commented = Array(jpeg.prefix(2)) + [0xFF, 0xE1, 0, 3, 9] + Array(jpeg.dropFirst(2))
    let other = try #require(ImageLayout(commented))
    #expect(other.content.flatMap { commented[$0] } == layout.content.flatMap { jpeg[$0] })
    #expect(try #require(ImageLayout(png)).content == [8..<33])
  }
}
