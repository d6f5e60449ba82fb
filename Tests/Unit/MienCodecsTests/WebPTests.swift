import MienImaging
import Testing

@testable import MienCodecs

@Suite struct `WebP images` {
  private func file(_ chunks: [UInt8]...) -> [UInt8] {
    let content = Array("WEBP".utf8) + chunks.joined()
    return Array("RIFF".utf8) + [UInt8](PNGWriter.number(content.count).reversed()) + content
  }

  private func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + [UInt8](PNGWriter.number(content.count).reversed()) + content
      + [UInt8](repeating: 0, count: content.count & 1)
  }

  /// Returns the file with an extended header.
  private func extended(
    _ bytes: [UInt8], flags: UInt8, width: UInt8 = 96, height: UInt8 = 64, _ rest: [UInt8] = []
  ) -> [UInt8] {
    file(chunk("VP8X", [flags, 0, 0, 0, width - 1, 0, 0, height - 1, 0, 0]), [UInt8](bytes.dropFirst(12)), rest)
  }

  private func code(_ bytes: [UInt8], pixels: Int = 1_000_000) -> ImageCodecError.Code? {
    do throws(ImageCodecError) {
      _ = try `HEIC and AVIF images`.decoded(bytes, pixels: pixels)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `an image is decoded as drawn`() throws {
    let lossless = try `HEIC and AVIF images`.decoded(DrawnPhotos.webpLossless)
    #expect(DrawnPhotos.difference(lossless, DrawnPhotos.frame) == 0)
    let difference = try #require(
      DrawnPhotos.difference(try `HEIC and AVIF images`.decoded(DrawnPhotos.webp), DrawnPhotos.frame))
    #expect(difference < `HEIC and AVIF images`.tolerance)
    #expect(try `HEIC and AVIF images`.planes(DrawnPhotos.webp).width == 96)
  }

  @Test func `EXIF turns an image`() throws {
    let exif = [UInt8](`JPEG images`.oriented([0xFF, 0xD8], 6, bigEndian: false).dropFirst(12))
    let bytes = extended(DrawnPhotos.webpLossless, flags: 8, chunk("EXIF", exif))
    var upright = Frame()
    DrawnPhotos.frame.stand(upright: .quarterRight, into: &upright)
    #expect(DrawnPhotos.difference(try `HEIC and AVIF images`.decoded(bytes), upright) == 0)
    #expect(try `HEIC and AVIF images`.planes(bytes).orientation == .quarterRight)
    let note = ImageProvenanceReader.read(extended(DrawnPhotos.webp, flags: 8, chunk("EXIF", ExampleEXIF().tiff)))
    #expect(note == ImageProvenanceReader.read(ExampleEXIF().jpeg) && !note.isEmpty)
  }

  @Test func `an animation is rejected as unsupported`() {
    #expect(code(extended(DrawnPhotos.webp, flags: 0)) == nil)
    #expect(code(extended(DrawnPhotos.webp, flags: 2)) == .unsupported)
  }

  @Test func `two sizes and too large ones are rejected`() {
    #expect(code(extended(DrawnPhotos.webp, flags: 0, width: 97)) == .corrupt)
    #expect(code(DrawnPhotos.webp, pixels: 3000) == .tooLarge)
    #expect(code(DrawnPhotos.webpLossless, pixels: 3000) == .tooLarge)
  }

  @Test func `thousands of chunks are rejected`() {
    let chunks = Array(repeating: chunk("abcd", []), count: 300).joined()
    #expect(code(file([UInt8](DrawnPhotos.webp.dropFirst(12)), Array(chunks))) == .tooLarge)
  }

  @Test(arguments: [DrawnPhotos.webp, DrawnPhotos.webpLossless])
  func `a damaged file is rejected or decoded without trapping`(bytes: [UInt8]) {
    for count in 0..<bytes.count - 1 { #expect(code([UInt8](bytes.prefix(count))) != nil, "\(count) bytes") }
    for offset in bytes.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var damaged = bytes
        damaged[offset] ^= mask
        _ = code(damaged)
      }
    }
  }
}
