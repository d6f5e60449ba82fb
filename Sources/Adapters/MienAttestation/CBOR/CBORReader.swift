/// Error for bytes that are not in the supported subset of CBOR, with its position.
struct CBORError: Error, Hashable, Sendable {
  enum Reason: String, Hashable, Sendable {
    case truncated = "it ends early"
    case tooDeep = "it is nested too deeply"
    case tooMany = "it has too many items"
    case indefinite = "a length is indefinite"
    case notShortest = "a number is not in its shortest form"
    case unsupported = "an item has an unsupported type"
    case notText = "a text string is not UTF-8"
    case duplicate = "a key occurs twice"
    case behind = "it has trailing data"
  }

  let reason: Reason
  /// Zero-based offset, at most the number of bytes.
  let byte: Int
}

/// Reader of CBOR (RFC 8949) in the strict form of CTAP2: lengths are definite, numbers are encoded in the shortest form, keys are
/// unique, and only numbers, byte strings, text strings, arrays, and maps occur. Its cost is bounded by the input size.
struct CBORReader {
  /// Maximum nesting depth of arrays and maps.
  static let maximumDepth = 8
  /// Maximum total number of data items.
  static let maximumItems = 256

  private let bytes: [UInt8]
  /// Offset of the next item.
  private(set) var place: Int
  private var items = 0

  /// Creates a reader.
  ///
  /// - Parameter place: Start offset, at most the number of bytes.
  init(_ bytes: [UInt8], at place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  var isAtEnd: Bool { place == bytes.count }

  /// Parses bytes that contain exactly one item.
  static func whole(_ bytes: [UInt8]) throws(CBORError) -> CBORValue {
    var reader = CBORReader(bytes)
    let value = try reader.next()
    guard reader.isAtEnd else { throw reader.fault(.behind) }
    return value
  }

  /// Parses the next item without reading beyond it.
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

  /// Reads the major type of an item and its argument, which is a length for most types.
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

/// CBOR (RFC 8949) data item of one of the types that occur in attestations.
enum CBORValue: Hashable, Sendable {
  case unsigned(UInt64)
  /// -1 - n, stored as n.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  /// Entries in order of occurrence, with unique keys.
  case map([Entry])

  struct Entry: Hashable, Sendable {
    let key: CBORValue
    let value: CBORValue
  }

  /// Value of a text key; `nil` if this is not a map or has no such key.
  subscript(key: String) -> CBORValue? { self[.text(key)] }

  subscript(key: CBORValue) -> CBORValue? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// Returns an integer of the type that its sign requires.
  static func number(_ number: Int) -> CBORValue {
    number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
  }

  var asBytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var asText: String? { if case .text(let text) = self { text } else { nil } }
  var asArray: [CBORValue]? { if case .array(let values) = self { values } else { nil } }
  /// Keys of a map if all of them are text strings; otherwise `nil`.
  var textKeys: [String]? {
    guard case .map(let entries) = self else { return nil }
    let keys = entries.compactMap(\.key.asText)
    return keys.count == entries.count ? keys : nil
  }
}
