/// Finds out whether a record's checksum is right, from its payload part by part.
struct RecordChecksumVerifier: Sendable {
  /// Most bytes that are looked at together.
  static let window = 1 << 18

  private let expected: UInt32
  private var sum = CRC32()
  private var rest: Range<Int>
  private var isCut = false

  /// - Parameters:
  ///   - bytes: hold the record's head at `place`.
  ///   - payload: where the record's payload lies.
  init(_ bytes: [UInt8], at place: Int, payload: Range<Int>) {
    expected = bytes.little32(at: place + 12)
    rest = payload
    sum.add(bytes[place..<place + 12])
  }

  /// Where the bytes lie that come next; nil when it is known whether the checksum is right.
  var wanted: Range<Int>? { isCut || rest.isEmpty ? nil : rest.prefix(Self.window) }

  /// Takes what is ``wanted``, or the beginning of it; none when it cannot be read.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    isCut = bytes.isEmpty
    sum.add(bytes)
    rest = rest.dropFirst(bytes.count)
  }

  /// Once nothing is ``wanted`` any more.
  var isRight: Bool { rest.isEmpty && sum.value == expected }
}
