/// The chunks of a PNG that a decoder needs, found without decoding anything (PNG, third edition, section 5).
///
/// Everything else never reaches libpng: compressed text, profiles and unknown chunks cost time and memory and say nothing about the
/// pixels. The result is a PNG of the signature and the chunks IHDR, PLTE, tRNS, IDAT and IEND as they are in the file.
struct PNGChunks {
  let width: Int
  let height: Int
  /// Gray without transparency, 16 bits a sample.
  let isGray16: Bool
  /// Gray without transparency, 8 bits a sample.
  let isGray8: Bool
  /// A PNG of the chunks that are decoded, and no others.
  let decodable: [UInt8]

  /// Writers split picture data into pieces of 8 KiB or more; a picture within the limits has far fewer.
  private static let mostChunks = 20_000
  /// Bytes that image data may have beyond the size of the pixels, as a fraction: deflate adds at most a thousandth to what it cannot
  /// compress.
  private static let mostOverhead = 64

  /// Reads the chunks of `bytes`.
  ///
  /// - Throws: ``ImageCodecError`` for other formats, an invalid header, more pixels than the limit, too many chunks, and image data that is
  ///   larger than the pixels could need.
  init(_ bytes: [UInt8], limits: ImageLimits) throws(ImageCodecError) {
    guard ImageFormat.sniff(bytes) == .png, bytes.count >= 33, bytes[12..<16].elementsEqual("IHDR".utf8),
      Self.number(bytes, at: 8) == 13
    else { throw ImageCodecError(.notAImage, "this is not a PNG") }
    width = Self.number(bytes, at: 16)
    height = Self.number(bytes, at: 20)
    try limits.check(width: width, height: height)
    isGray16 = bytes[24] == 16 && bytes[25] == 0
    isGray8 = bytes[24] == 8 && bytes[25] == 0

    // At most four samples of 16 bits a pixel, and a filter byte a row in each of seven interlacing passes.
    let largest = width * height * 8 + height * 8
    var decodable = [UInt8]()
    var (place, count, dataBytes) = (8, 0, 0)
    var (hasPalette, hasTransparency) = (false, false)
    // Taken together: a run of chunks that are next to each other in the file.
    var run = 0..<8
    while place + 12 <= bytes.count {
      count += 1
      guard count <= Self.mostChunks else {
        throw ImageCodecError(.tooLarge, "the PNG has more than \(Self.mostChunks) chunks")
      }
      let length = Self.number(bytes, at: place)
      let end = place + 12 + length
      guard end <= bytes.count else { break }
      var isEnd = false
      let isTaken: Bool
      switch Self.number(bytes, at: place + 4) {
      case 0x4948_4452: isTaken = place == 8  // IHDR
      case 0x504C_5445:  // PLTE
        (isTaken, hasPalette) = (!hasPalette, true)
      case 0x7452_4E53:  // tRNS
        (isTaken, hasTransparency) = (!hasTransparency && length <= 256, true)
      case 0x4944_4154:  // IDAT
        dataBytes += length
        isTaken = true
      case 0x4945_4E44: (isTaken, isEnd) = (true, true)  // IEND
      default: isTaken = false
      }
      if isTaken, run.upperBound == place {
        run = run.lowerBound..<end
      } else if isTaken {
        decodable += bytes[run]
        run = place..<end
      }
      place = end
      if isEnd { break }
    }
    decodable += bytes[run]
    guard dataBytes <= largest + largest / Self.mostOverhead + 65_536 else {
      throw ImageCodecError(.corrupt, "damaged PNG: more image data than \(width)×\(height) pixels need")
    }
    self.decodable = decodable
  }

  /// A big-endian number of four bytes.
  private static func number(_ bytes: [UInt8], at place: Int) -> Int {
    Int(bytes[place]) << 24 | Int(bytes[place + 1]) << 16 | Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
  }
}
