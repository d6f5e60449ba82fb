import Foundation
import MienImaging
import Testing

@testable import MienCodecs

/// HEIF files designed to consume time or memory, or to confuse a decoder.
@Suite struct `Malicious HEIC images` {
  private func code(_ file: [UInt8], pixels: Int = 1_000_000) -> ImageCodecError.Code? {
    do throws(ImageCodecError) {
      _ = try `HEIC and AVIF images`.decoded(file, pixels: pixels)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(arguments: [DrawnPhotos.heic, DrawnPhotos.avif])
  func `a truncated file is rejected wherever it ends`(bytes: [UInt8]) {
    for count in 0..<bytes.count { #expect(code([UInt8](bytes.prefix(count))) != nil, "\(count) bytes") }
  }

  @Test(arguments: [DrawnPhotos.heic, DrawnPhotos.avif])
  func `a damaged file is rejected or decoded without trapping`(bytes: [UInt8]) throws {
    for offset in bytes.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var damaged = bytes
        damaged[offset] ^= mask
        _ = code(damaged)
        _ = EmbeddedImages.kinds(in: damaged)
        _ = try? EmbeddedImages.depth(in: damaged)
      }
    }
  }

  @Test func `a declared size above the limit is rejected before decoding`() throws {
    for (width, height) in [(2000, 2000), (1 << 31 - 1, 1 << 31 - 1), (40_000, 1)] {
      var builder = try HEIFBuilder.single()
      builder.properties[0] = HEIFBuilder.size(width, height)
      #expect(code(builder.file()) == .tooLarge)
    }
    let grid = try HEIFBuilder.grid(columns: 3, rows: 2, width: 250, height: 100)
    #expect(code(grid.file(), pixels: 24_999) == .tooLarge)
  }

  @Test func `a size other than that of the coded picture is rejected`() throws {
    for (width, height) in [(640, 480), (97, 64), (95, 64), (96, 16)] {
      var builder = try HEIFBuilder.single()
      builder.properties[0] = HEIFBuilder.size(width, height)
      #expect(code(builder.file()) == .corrupt)
    }
  }

  @Test func `a grid that refers to itself or to a grid is rejected`() throws {
    var builder = try HEIFBuilder.grid(columns: 2, rows: 1, width: 192, height: 64)
    builder.references = [("dimg", 3, [3, 3])]
    #expect(code(builder.file()) != nil)
    builder = try HEIFBuilder.grid(columns: 2, rows: 1, width: 192, height: 64)
    builder.items.append(builder.items[2])
    builder.references.append(("dimg", 4, [3, 3]))
    builder.references[0] = ("dimg", 3, [4, 4])
    #expect(code(builder.file()) != nil)
  }

  @Test func `a grid with missing, superfluous or different parts is rejected`() throws {
    for (width, height) in [(193, 64), (96, 64), (192, 65)] {
      #expect(code(try HEIFBuilder.grid(columns: 2, rows: 1, width: width, height: height).file()) == .corrupt)
    }
    var builder = try HEIFBuilder.grid(columns: 2, rows: 1, width: 192, height: 64)
    builder.references = [("dimg", 3, [1])]
    #expect(code(builder.file()) == .corrupt)
    builder.references = [("dimg", 3, [1, 9])]
    #expect(code(builder.file()) == .corrupt)
    builder = try HEIFBuilder.grid(columns: 2, rows: 1, width: 192, height: 64)
    builder.properties.append(HEIFBuilder.box("irot", [2]))
    builder.items[1].properties.append(4)
    #expect(code(builder.file()) == .unsupported)
  }

  /// Parts that share their bytes would make a small file a large amount of work.
  @Test func `parts whose total data is larger than the file are rejected`() throws {
    var builder = try HEIFBuilder.grid(columns: 8, rows: 8, width: 768, height: 512)
    #expect(code(builder.file()) == nil)
    builder.references = [("dimg", 65, Array(repeating: 1, count: 64))]
    for index in 1..<64 { builder.items[index].data = [] }
    #expect(code(builder.file()) == .corrupt)
  }

  @Test func `thousands of items and properties are rejected`() throws {
    var builder = try HEIFBuilder.single()
    builder.items += Array(repeating: HEIFBuilder.Item(type: "free", data: []), count: 2000)
    #expect(code(builder.file()) == .tooLarge)
    builder = try HEIFBuilder.single()
    builder.properties += Array(repeating: HEIFBuilder.box("free"), count: 4000)
    #expect(code(builder.file()) == .tooLarge)
    builder = try HEIFBuilder.single()
    builder.references = Array(repeating: ("dimg", 1, [1]), count: 8001)
    #expect(code(builder.file()) == .tooLarge)
  }

  @Test func `several pictures in one item are rejected`() throws {
    var builder = try HEIFBuilder.single()
    builder.items[0].data += builder.items[0].data
    #expect(code(builder.file()) == .corrupt)
    builder.items[0].data = []
    #expect(code(builder.file()) == .corrupt)
  }

  @Test func `data outside the file, without parameters or of unknown kinds is rejected`() throws {
    var builder = try HEIFBuilder.single()
    builder.items[0].properties = [1]
    #expect(code(builder.file()) == .corrupt)
    builder = try HEIFBuilder.single()
    builder.items[0].type = "unci"
    #expect(code(builder.file()) == .unsupported)
    builder = try HEIFBuilder.single()
    builder.properties.append(HEIFBuilder.box("zzzz", [1]))
    builder.items[0].properties.append(0x83)
    #expect(code(builder.file()) == .unsupported)
    builder.items[0].properties[2] = 3
    #expect(code(builder.file()) == nil)
    builder = try HEIFBuilder.single()
    builder.primary = 7
    #expect(code(builder.file()) == .notAImage)
  }

  // Found by fuzzing: an AVIF whose AV1 data has an unknown transfer function. In its strict mode libheif stops there and
  // leaks the picture; otherwise it warns.
  private static let invalidColors =
    "AAAAIGZ0eXBhdmlmAAAAAJ+KaWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxp"
    + "YmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAACIAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAAB"
    + "AABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAEAAAABAAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAA"
    + "ABNjb2xybmNseAABAA0ABoAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACptZGF0EgAKCRgVf/2CAmhlaTITGMANNNNEALTbeydGUYXY"
    + "whqiQA=="

  @Test func `an invalid color description is rejected because of the decoder's warning`() throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.invalidColors)))
    let error = #expect(throws: ImageCodecError.self) { try `HEIC and AVIF images`.decoded(bytes) }
    #expect(error?.code == .corrupt && error?.reason.contains("incomplete") == true)
  }

  @Test func `an impossible crop is rejected`() throws {
    let crops = [
      [97, 1, 64, 1, 0, 1, 0, 1], [0, 1, 0, 1, 0, 1, 0, 1], [8, 0, 8, 1, 0, 1, 0, 1], [40, 1, 20, 1, 60, 1, 0, 1],
    ]
    for numbers in crops {
      var builder = try HEIFBuilder.single()
      builder.properties.append(HEIFBuilder.box("clap", numbers.flatMap { PNGWriter.number($0) }))
      builder.items[0].properties.append(3)
      #expect(code(builder.file()) == .corrupt)
    }
  }
}
