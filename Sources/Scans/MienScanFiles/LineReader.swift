internal import MienDepth

/// The lines of a recording's text, one after the other.
///
/// What becomes of a line takes many times its bytes, and text packs to a thousandth: a text of very many or very long lines
/// is refused where they begin.
struct LineReader {
  /// A hundred minutes at 60 a second are 360 000.
  static let most = 400_000
  /// Bytes of a line.
  static let longest = 4096

  private var rest: Substring.UTF8View
  private let file: String
  /// The line that was given last, counted from 1.
  private(set) var number = 0

  init(_ text: String, file: String) {
    rest = text[...].utf8
    self.file = file
  }

  /// True after the last line.
  var isOver: Bool { rest.isEmpty }

  /// The next line without its end; nil after the last.
  ///
  /// - Throws: ``ScanError`` `tooMuch` with the file.
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
    // CR LF is one end.
    let isPair = rest[end] == 0x0D && after < rest.endIndex && rest[after] == 0x0A
    rest = rest[(isPair ? rest.index(after: after) : after)...]
    return Substring(start[..<end])
  }
}
