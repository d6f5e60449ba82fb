/// Variants of the CSV that spreadsheets and other systems write.
enum LiveLinkFaceDialect {
  /// Returns the text with commas between fields, points in numbers and line feeds: spreadsheets in much of Europe write
  /// semicolons and decimal commas, others tabs, and old systems end lines with a carriage return only. Positions in the
  /// text stay the same. Text of the usual form is returned unchanged.
  static func standard(_ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    guard let separator = separator(bytes) else { return bytes }
    let comma = UInt8(ascii: ",")
    let hasLineFeed = bytes.contains(UInt8(ascii: "\n"))
    guard separator != comma || !hasLineFeed else { return bytes }
    return ContiguousArray(
      bytes.map { byte in
        switch byte {
        case separator: comma
        case comma: UInt8(ascii: ".")
        case UInt8(ascii: "\r") where !hasLineFeed: UInt8(ascii: "\n")
        default: byte
        }
      })
  }

  /// Returns the separator after the first column, whose name is known; nil if there is none.
  private static func separator(_ bytes: ContiguousArray<UInt8>) -> UInt8? {
    let start = bytes.prefix(64).drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    let candidates = Array(",;\t".utf8)
    return start.first { candidates.contains($0) }
  }
}
