/// Reads numbers and boxes of an ISO base media file (ISO/IEC 14496-12, section 4.2); all numbers are big-endian, and
/// nothing is read beyond the end.
struct BoxReader {
  let bytes: [UInt8]
  private(set) var place: Int
  let end: Int

  /// - Precondition: the range lies inside `bytes`.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    place = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { place >= end }
  var range: Range<Int> { place..<end }

  /// Reads an unsigned number of 0 to 8 bytes; 0 bytes are the number 0.
  ///
  /// - Throws: ``ImageCodecError`` with `corrupt` beyond the end and above `Int.max`.
  mutating func number(_ size: Int) throws(ImageCodecError) -> Int {
    guard size <= end - place else { throw Self.cutOff }
    var value: UInt64 = 0
    for _ in 0..<size {
      value = value << 8 | UInt64(bytes[place])
      place += 1
    }
    guard let number = Int(exactly: value) else { throw Self.cutOff }
    return number
  }

  /// Reads a signed number of 4 bytes.
  mutating func signed() throws(ImageCodecError) -> Int {
    Int(Int32(truncatingIfNeeded: try number(4)))
  }

  /// Reads a code of four characters.
  mutating func code() throws(ImageCodecError) -> String {
    guard end - place >= 4 else { throw Self.cutOff }
    defer { place += 4 }
    return String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  /// Reads a text up to its terminator, or up to the end.
  mutating func text() -> String {
    let content = bytes[place..<end].prefix { $0 != 0 }
    place = min(content.endIndex + 1, end)
    return String(decoding: content, as: UTF8.self)
  }

  mutating func skip(_ count: Int) throws(ImageCodecError) {
    guard count >= 0, count <= end - place else { throw Self.cutOff }
    place += count
  }

  /// Reads the version and the flags of a full box.
  mutating func fullBox() throws(ImageCodecError) -> (version: Int, flags: Int) {
    (try number(1), try number(3))
  }

  /// Reads the next box; `nil` at the end.
  ///
  /// - Parameter cutting: `true` to accept a box that ends beyond the end, of which the beginning is returned.
  mutating func box(cutting: Bool = false) throws(ImageCodecError) -> (type: String, content: BoxReader)? {
    guard !isAtEnd else { return nil }
    let start = place
    var size = try number(4)
    let type = try code()
    if size == 1 { size = try number(8) } else if size == 0 { size = end - start }
    if type == "uuid" { try skip(16) }
    let (boxEnd, overflow) = start.addingReportingOverflow(size)
    guard !overflow, boxEnd >= place, cutting || boxEnd <= end else { throw Self.cutOff }
    let content = BoxReader(bytes, place..<min(boxEnd, end))
    place = content.end
    return (type, content)
  }

  /// Reads all boxes up to the end.
  ///
  /// - Throws: ``ImageCodecError``; `tooLarge` for more than `most`.
  mutating func boxes(most: Int) throws(ImageCodecError) -> [(type: String, content: BoxReader)] {
    var boxes: [(type: String, content: BoxReader)] = []
    while let box = try box() {
      guard boxes.count < most else { throw ImageCodecError(.tooLarge, "a box contains more than \(most) boxes") }
      boxes.append(box)
    }
    return boxes
  }

  static var cutOff: ImageCodecError { ImageCodecError(.corrupt, "damaged HEIF: a box or a number is cut off") }
}
