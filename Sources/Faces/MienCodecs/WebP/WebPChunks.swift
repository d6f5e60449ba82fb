internal import MienCore
internal import MienImaging

/// The chunks of a WebP that a decoder needs, extracted without decoding (RFC 9649, section 2).
///
/// Everything else is withheld from libwebp: the result is a file of one chunk with a still picture. Transparency is
/// left out.
struct WebPChunks {
  let width: Int
  let height: Int
  /// A WebP that contains only the picture.
  let decodable: [UInt8]
  let orientation: Orientation
  /// Place of the EXIF data.
  let exif: Range<Int>?

  /// Maximum number of chunks; a still picture has at most seven.
  private static let mostChunks = 256

  /// - Throws: ``ImageCodecError``: `notAImage` and `corrupt`, `tooLarge` above the limits, `unsupported` for an
  ///   animation, which has no main frame.
  init(_ bytes: [UInt8], limits: ImageLimits) throws(ImageCodecError) {
    let damaged = ImageCodecError(.corrupt, "damaged WebP: a chunk is cut off")
    guard ImageFormat.sniff(bytes) == .webp else { throw ImageCodecError(.notAImage, "this is not a WebP") }
    var (picture, canvas, exif): (Range<Int>?, (width: Int, height: Int)?, Range<Int>?)
    for (count, chunk) in RIFFChunks(bytes).enumerated() {
      guard count < Self.mostChunks else {
        throw ImageCodecError(.tooLarge, "the WebP has more than \(Self.mostChunks) chunks")
      }
      let content = chunk.content
      guard content.upperBound <= bytes.count else { throw damaged }
      switch chunk.type {
      case "VP8X" where content.count >= 10:
        guard bytes[content.lowerBound] & 2 == 0 else {
          throw ImageCodecError(
            .unsupported, "an animated WebP is not a photo; send one of its pictures as JPEG or PNG")
        }
        func number(_ at: Int) -> Int {
          (0..<3).reduce(1) { $0 + Int(bytes[content.lowerBound + at + $1]) << (8 * $1) }
        }
        canvas = (number(4), number(7))
      case "VP8 ", "VP8L": picture = picture ?? content.lowerBound - 8..<content.upperBound
      case "EXIF": exif = exif ?? content
      default: break
      }
    }
    guard let picture, let size = Self.size(bytes[picture]) else { throw damaged }
    try limits.check(width: size.width, height: size.height)
    if let canvas, canvas != size { throw ImageCodecError(.corrupt, "damaged WebP: two sizes") }
    (width, height) = size
    var file = Array("RIFF".utf8)
    let padding = picture.count & 1
    file.append(littleEndian: UInt32(4 + picture.count + padding))
    file += Array("WEBP".utf8) + bytes[picture] + [UInt8](repeating: 0, count: padding)
    decodable = file
    self.exif = exif
    orientation = exif.flatMap { EXIF.orientation(inBlock: bytes[$0]) } ?? .upright
  }

  /// Reads the size in the head of a chunk with a picture; `nil` if it is damaged (RFC 6386, section 9.1; RFC 9649,
  /// section 3.4).
  private static func size(_ chunk: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    let head = chunk.prefix(18).map { Int($0) }
    if chunk[chunk.startIndex + 3] == 0x4C {
      guard head.count >= 13, head[8] == 0x2F else { return nil }
      let bits = head[9] | head[10] << 8 | head[11] << 16 | head[12] << 24
      return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
    // A key frame, its start code, and two numbers of 14 bits.
    guard head.count >= 18, head[8] & 1 == 0, head[11...13] == [0x9D, 0x01, 0x2A] else { return nil }
    return ((head[14] | head[15] << 8) & 0x3FFF, (head[16] | head[17] << 8) & 0x3FFF)
  }
}

/// The chunks of a RIFF file; the last one may claim to end beyond the file.
struct RIFFChunks: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var place = 12

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> (type: String, content: Range<Int>)? {
    guard place + 8 <= bytes.count else { return nil }
    let type = String(decoding: bytes[place..<place + 4], as: UTF8.self)
    let length = Int(bytes.littleEndian(at: place + 4, as: UInt32.self))
    let start = place + 8
    place = start + length + length & 1
    return (type, start..<start + length)
  }
}

extension RIFFChunks {
  /// Returns the place of the EXIF data of a WebP, of which the first bytes are enough; `nil` if it is not found.
  static func exif(in bytes: [UInt8]) -> Range<Int>? {
    RIFFChunks(bytes).prefix(256).first { $0.type == "EXIF" && $0.content.upperBound <= bytes.count }?.content
  }
}
