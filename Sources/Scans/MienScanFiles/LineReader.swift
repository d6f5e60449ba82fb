internal import MienScanFormat

/// Reads the lines of a recording's text sequentially.
///
/// A parsed line takes many times its size, and text can be compressed a thousandfold, so the number and length of
/// lines are limited.
struct LineReader {
  /// Maximum number of lines: a hundred minutes at 60 per second are 360 000.
  static let most = 400_000
  /// Maximum length of a line in bytes.
  static let longest = 4096

  private var rest: Substring.UTF8View
  private let file: String
  /// Number of the last line returned, counted from 1.
  private(set) var number = 0

  init(_ text: String, file: String) {
    rest = text[...].utf8
    self.file = file
  }

  /// `true` after the last line.
  var isOver: Bool { rest.isEmpty }

  /// Returns the next line without its terminator; nil after the last.
  ///
  /// - Throws: ``ScanError`` `tooMuch` with the file name.
  mutating func next() throws(ScanError) -> Substring? {
    guard !rest.isEmpty else { return nil }
    guard number < Self.most else { throw ScanError(.tooMuch, "\(file) has more than \(Self.most) lines") }
    number += 1
    let start = rest.prefix(Self.longest + 1)
    guard let end = start.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      guard start.count <= Self.longest else {
        throw ScanError(.tooMuch, "\(file), line \(number) has more than \(Self.longest) bytes")
      }
      rest = rest[rest.endIndex...]
      return Substring(start)
    }
    let after = rest.index(after: end)
    // CR LF is a single terminator.
    let isPair = rest[end] == 0x0D && after < rest.endIndex && rest[after] == 0x0A
    rest = rest[(isPair ? rest.index(after: after) : after)...]
    return Substring(start[..<end])
  }
}
