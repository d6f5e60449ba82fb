/// The chunks of a PNG, found without decoding anything.
struct PNGLayout {
  let width: Int
  let height: Int
  /// Gray without transparency, 16 bits a sample.
  let isGray16: Bool
  /// Gray without transparency, 8 bits a sample.
  let isGray8: Bool
  private let bytes: [UInt8]
  /// Chunks that say how colours are meant, which a depth map must not be bent by.
  private let colourChunks: [Range<Int>]

  /// - Throws: ``PictureError`` for other formats, a nonsensical header, or more pixels than the limit.
  init(_ bytes: [UInt8], limits: PictureLimits) throws(PictureError) {
    guard ImageFormat.sniff(bytes) == .png, bytes.count >= 33,
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { throw PictureError(.notAPicture, "this is not a PNG") }
    width = Self.number(bytes, at: 16)
    height = Self.number(bytes, at: 20)
    try limits.check(width: width, height: height)
    isGray16 = bytes[24] == 16 && bytes[25] == 0
    isGray8 = bytes[24] == 8 && bytes[25] == 0
    let colour: Set = ["gAMA", "sRGB", "iCCP", "cHRM", "sBIT", "cICP"]
    var found: [Range<Int>] = []
    var place = 8
    while place + 12 <= bytes.count {
      let end = place + 12 + Self.number(bytes, at: place)
      guard end <= bytes.count else { break }
      if colour.contains(String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)) { found.append(place..<end) }
      place = end
    }
    colourChunks = found
    self.bytes = bytes
  }

  /// The file without chunks that ask for colour correction.
  var bytesWithoutColourChunks: [UInt8] {
    var rest: [UInt8] = []
    rest.reserveCapacity(bytes.count)
    var place = 0
    for chunk in colourChunks {
      rest += bytes[place..<chunk.lowerBound]
      place = chunk.upperBound
    }
    return rest + bytes[place...]
  }

  /// A big-endian number of four bytes.
  private static func number(_ bytes: [UInt8], at place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
