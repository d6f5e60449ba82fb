/// Why bytes are not the CBOR that is read here, and where.
struct CBORError: Error, Hashable, Sendable {
  enum Reason: String, Hashable, Sendable {
    case truncated = "it ends early"
    case tooDeep = "it is nested too deeply"
    case tooMany = "it has too many parts"
    case indefinite = "a length is not given"
    case notShortest = "a number is written longer than it needs"
    case unsupported = "a part is of a kind that has no place here"
    case notText = "a text is not UTF-8"
    case duplicate = "a key comes twice"
    case behind = "something follows its end"
  }

  let reason: Reason
  /// Counted from 0, at most the number of bytes.
  let byte: Int
}

/// Reads CBOR (RFC 8949) as strictly as CTAP2 writes it: lengths are given, numbers are as short as can be, no key comes
/// twice, and only numbers, bytes, texts, arrays and maps occur. What it costs is bounded by the bytes that are there.
struct CBORReader {
  /// How deep arrays and maps may lie within each other.
  static let maximumDepth = 8
  /// How many data items there may be in all.
  static let maximumItems = 256

  private let bytes: [UInt8]
  /// Where the next item begins.
  private(set) var place: Int
  private var items = 0

  /// - Parameter place: where to begin, at most the number of bytes.
  init(_ bytes: [UInt8], at place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  var isAtEnd: Bool { place == bytes.count }

  /// The one item that the bytes are.
  static func whole(_ bytes: [UInt8]) throws(CBORError) -> CBORValue {
    var reader = CBORReader(bytes)
    let value = try reader.next()
    guard reader.isAtEnd else { throw reader.fault(.behind) }
    return value
  }

  /// The next item; what follows it is not looked at.
  mutating func next() throws(CBORError) -> CBORValue { try item(depth: 0) }

  private mutating func item(depth: Int) throws(CBORError) -> CBORValue {
    items += 1
    guard items <= Self.maximumItems else { throw fault(.tooMany) }
    let start = place
    let (kind, number) = try head()
    switch kind {
    case 0: return .unsigned(number)
    case 1: return .negative(number)
    case 2: return .bytes(try take(number))
    case 3:
      let taken = try take(number)
      guard let text = String(validating: taken, as: UTF8.self) else {
        throw CBORError(reason: .notText, byte: start)
      }
      return .text(text)
    case 4, 5:
      guard depth < Self.maximumDepth else { throw CBORError(reason: .tooDeep, byte: start) }
      guard number <= UInt64(Self.maximumItems) else { throw CBORError(reason: .tooMany, byte: start) }
      return kind == 4 ? try array(Int(number), depth) : try map(Int(number), depth)
    default: throw CBORError(reason: .unsupported, byte: start)
    }
  }

  private mutating func array(_ count: Int, _ depth: Int) throws(CBORError) -> CBORValue {
    var values: [CBORValue] = []
    for _ in 0..<count { values.append(try item(depth: depth + 1)) }
    return .array(values)
  }

  private mutating func map(_ count: Int, _ depth: Int) throws(CBORError) -> CBORValue {
    var entries: [CBORValue.Entry] = []
    var seen: Set<CBORValue> = []
    for _ in 0..<count {
      let start = place
      let key = try item(depth: depth + 1)
      guard seen.insert(key).inserted else { throw CBORError(reason: .duplicate, byte: start) }
      entries.append(CBORValue.Entry(key: key, value: try item(depth: depth + 1)))
    }
    return .map(entries)
  }

  /// The kind of an item and its number, which is a length for most.
  private mutating func head() throws(CBORError) -> (kind: UInt8, number: UInt64) {
    let start = place
    guard place < bytes.count else { throw fault(.truncated) }
    let first = bytes[place]
    place += 1
    let (kind, short) = (first >> 5, first & 31)
    guard kind < 6 else { throw CBORError(reason: .unsupported, byte: start) }
    switch short {
    case 0..<24: return (kind, UInt64(short))
    case 24...27:
      let count = 1 << (short - 24)
      guard bytes.count - place >= count else { throw fault(.truncated) }
      let number = bytes[place..<place + count].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      place += count
      let least: UInt64 = count == 1 ? 24 : 1 << UInt64(4 * count)
      guard number >= least else { throw CBORError(reason: .notShortest, byte: start) }
      return (kind, number)
    case 31: throw CBORError(reason: .indefinite, byte: start)
    default: throw CBORError(reason: .unsupported, byte: start)
    }
  }

  private mutating func take(_ count: UInt64) throws(CBORError) -> [UInt8] {
    guard count <= UInt64(bytes.count - place) else { throw fault(.truncated) }
    defer { place += Int(count) }
    return Array(bytes[place..<place + Int(count)])
  }

  private func fault(_ reason: CBORError.Reason) -> CBORError { CBORError(reason: reason, byte: place) }
}
