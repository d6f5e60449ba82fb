internal import MienCore
internal import MienImaging

/// The chunks of a PNG that a decoder needs, extracted without decoding (PNG, third edition, section 5).
///
/// Everything else is withheld from libpng: compressed text, profiles and unknown chunks cost time and memory and do
/// not affect the pixels. The result is a PNG of the signature and the chunks IHDR, PLTE, tRNS, IDAT and IEND as they
/// are in the file.
struct PNGChunks {
  let width: Int
  let height: Int
  /// Gray without transparency, 16 bits per sample.
  let isGray16: Bool
  /// Gray without transparency, 8 bits per sample.
  let isGray8: Bool
  /// The transformation that makes the image upright, from the chunk `eXIf`.
  let orientation: Orientation
  /// A PNG that contains only the decoded chunks.
  let decodable: [UInt8]

  /// Maximum number of chunks. Encoders split image data into chunks of 8 KiB or more; an image within the limits has
  /// far fewer.
  private static let mostChunks = 20_000
  /// Divisor for the allowed excess of image data over the size of the pixels: deflate adds at most a thousandth to
  /// incompressible data.
  private static let mostOverhead = 64

  /// Reads the chunks of `bytes`.
  ///
  /// - Throws: ``ImageCodecError`` for other formats, an invalid header, more pixels than the limit, too many chunks,
  ///   and more image data than the pixels could need.
  init(_ bytes: [UInt8], limits: ImageLimits) throws(ImageCodecError) {
    guard ImageFormat.sniff(bytes) == .png, bytes.count >= 33, bytes[12..<16].elementsEqual("IHDR".utf8),
      bytes.bigEndian(at: 8, as: UInt32.self) == 13
    else { throw ImageCodecError(.notAImage, "this is not a PNG") }
    width = Int(bytes.bigEndian(at: 16, as: UInt32.self))
    height = Int(bytes.bigEndian(at: 20, as: UInt32.self))
    try limits.check(width: width, height: height)
    isGray16 = bytes[24] == 16 && bytes[25] == 0
    isGray8 = bytes[24] == 8 && bytes[25] == 0

    // At most four 16-bit samples per pixel, and a filter byte per row in each of seven interlacing passes.
    let largest = width * height * 8 + height * 8
    var decodable = [UInt8]()
    var (place, count, dataBytes) = (8, 0, 0)
    var (hasPalette, hasTransparency) = (false, false)
    var exif: Range<Int>?
    // Adjacent chunks of the file, copied together.
    var run = 0..<8
    while place + 12 <= bytes.count {
      count += 1
      guard count <= Self.mostChunks else {
        throw ImageCodecError(.tooLarge, "the PNG has more than \(Self.mostChunks) chunks")
      }
      let length = Int(bytes.bigEndian(at: place, as: UInt32.self))
      let end = place + 12 + length
      guard end <= bytes.count else { break }
      var isEnd = false
      let isTaken: Bool
      switch bytes.bigEndian(at: place + 4, as: UInt32.self) {
      case 0x4948_4452: isTaken = place == 8  // IHDR
      case 0x504C_5445:  // PLTE
        (isTaken, hasPalette) = (!hasPalette, true)
      case 0x7452_4E53:  // tRNS
        (isTaken, hasTransparency) = (!hasTransparency && length <= 256, true)
      case 0x4944_4154:  // IDAT
        dataBytes += length
        isTaken = true
      case 0x6558_4966:  // eXIf
        (isTaken, exif) = (false, exif ?? place + 8..<place + 8 + length)
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
    orientation = exif.flatMap { EXIF.orientation(inBlock: bytes[$0]) } ?? .upright
  }
}

extension PNGChunks {
  /// Returns the place of the EXIF data of a PNG, of which the first bytes are enough; `nil` if it is not found.
  static func exif(in bytes: [UInt8]) -> Range<Int>? {
    var place = 8
    for _ in 0..<mostChunks where place + 12 <= bytes.count {
      let end = place + 12 + Int(bytes.bigEndian(at: place, as: UInt32.self))
      guard end <= bytes.count else { return nil }
      if bytes.bigEndian(at: place + 4, as: UInt32.self) == 0x6558_4966 { return place + 8..<end - 4 }
      place = end
    }
    return nil
  }
}
