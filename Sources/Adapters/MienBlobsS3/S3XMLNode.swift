/// Element of an S3 XML document, containing text or child elements.
///
/// The parser is small and strict: UTF-8, no document type, no entities except the five of XML and character references, no comments, no
/// CDATA, no processing instructions; attributes are ignored. S3 responses contain nothing else.
struct S3XMLNode: Equatable, Sendable {
  private(set) var name: String
  /// Characters directly in this element.
  private(set) var text = ""
  private(set) var children: [S3XMLNode] = []

  /// First child with this name.
  subscript(name: String) -> S3XMLNode? { children.first { $0.name == name } }

  /// Returns all children with this name.
  func all(_ name: String) -> [S3XMLNode] { children.filter { $0.name == name } }

  static let maximumBytes = 4 << 20

  /// Parses a document.
  static func read(_ bytes: [UInt8]) throws(S3XMLError) -> S3XMLNode {
    guard bytes.count <= maximumBytes else { throw .tooLarge }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    var reader = S3XMLReader(bytes)
    return try reader.document()
  }

  fileprivate init(name: String) { self.name = name }

  fileprivate mutating func add(_ child: S3XMLNode) { children.append(child) }
  fileprivate mutating func end(_ text: [UInt8]) { self.text = String(decoding: text, as: UTF8.self) }
}

/// Error for an invalid document.
enum S3XMLError: Error, Equatable {
  case tooLarge, notUTF8, tooDeep, malformed(at: Int)
}

private struct S3XMLReader {
  private static let maximumDepth = 8
  private static let maximumName = 64
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(S3XMLError) -> S3XMLNode {
    if take("<?xml ") {
      while !take("?>") {
        guard place < bytes.count, bytes[place] != UInt8(ascii: "<"), bytes[place] != UInt8(ascii: ">") else {
          throw wrong
        }
        place += 1
      }
    }
    skipSpace()
    let root = try element(depth: 0)
    skipSpace()
    guard place == bytes.count else { throw wrong }
    return root
  }

  private mutating func element(depth: Int) throws(S3XMLError) -> S3XMLNode {
    guard depth < Self.maximumDepth else { throw .tooDeep }
    guard take("<") else { throw wrong }
    let name = try name()
    var element = S3XMLNode(name: name)
    guard try attributes() else { return element }
    var text: [UInt8] = []
    while true {
      guard place < bytes.count else { throw wrong }
      switch bytes[place] {
      case UInt8(ascii: "<") where place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "/"):
        place += 2
        guard try self.name() == name else { throw wrong }
        skipSpace()
        guard take(">") else { throw wrong }
        element.end(text)
        return element
      case UInt8(ascii: "<"): element.add(try self.element(depth: depth + 1))
      case UInt8(ascii: "&"): text += try reference()
      default:
        text.append(bytes[place])
        place += 1
      }
    }
  }

  /// Skips attributes up to the end of a tag. Returns `false` if the tag is self-closing.
  private mutating func attributes() throws(S3XMLError) -> Bool {
    while true {
      let isApart = skipSpace()
      if take("/>") { return false }
      if take(">") { return true }
      guard isApart else { throw wrong }
      _ = try name()
      skipSpace()
      guard take("=") else { throw wrong }
      skipSpace()
      guard place < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place]) else { throw wrong }
      let quote = bytes[place]
      place += 1
      while place < bytes.count, bytes[place] != quote, bytes[place] != UInt8(ascii: "<") { place += 1 }
      guard place < bytes.count, bytes[place] == quote else { throw wrong }
      place += 1
    }
  }

  private mutating func name() throws(S3XMLError) -> String {
    let start = place
    while place < bytes.count, Self.isName(bytes[place]) { place += 1 }
    guard (1...Self.maximumName).contains(place - start), !Self.isInner(bytes[start]) else { throw wrong }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ":")
      || isInner(byte)
  }

  /// Reports whether a character is allowed within a name but not at its start.
  private static func isInner(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  private mutating func reference() throws(S3XMLError) -> [UInt8] {
    for (name, character) in [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")]
    where take(name) {
      return Array(character.utf8)
    }
    let radix: UInt32
    if take("&#x") { radix = 16 } else if take("&#") { radix = 10 } else { throw wrong }
    var (value, count) = (UInt32(0), 0)
    while place < bytes.count, count < 8, let digit = Character(Unicode.Scalar(bytes[place])).hexDigitValue,
      digit < radix
    {
      value = value &* radix &+ UInt32(digit)
      place += 1
      count += 1
    }
    guard (1...7).contains(count), take(";"), let scalar = Unicode.Scalar(value),
      value >= 0x20 || [9, 10, 13].contains(value), value & 0xfffe != 0xfffe
    else { throw wrong }
    return Array(String(scalar).utf8)
  }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard bytes[place...].starts(with: wanted) else { return false }
    place += wanted.count
    return true
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = place
    while place < bytes.count, [9, 10, 13, 32].contains(bytes[place]) { place += 1 }
    return place > start
  }

  private var wrong: S3XMLError { .malformed(at: place) }
}
