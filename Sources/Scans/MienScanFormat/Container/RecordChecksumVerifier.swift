/// Verifies a record's checksum incrementally from its payload.
struct RecordChecksumVerifier: Sendable {
  /// Maximum number of bytes processed at a time.
  static let window = 1 << 18

  private let expected: UInt32
  private var sum = CRC32()
  private var rest: Range<Int>
  private var isCut = false

  /// - Parameters:
  ///   - bytes: data containing the record's header at `place`.
  ///   - payload: byte range of the record's payload.
  init(_ bytes: [UInt8], at place: Int, payload: Range<Int>) {
    expected = bytes.little32(at: place + 12)
    rest = payload
    sum.add(bytes[place..<place + 12])
  }

  /// Byte range needed next; nil when verification is complete.
  var wanted: Range<Int>? { isCut || rest.isEmpty ? nil : rest.prefix(Self.window) }

  /// Accepts the ``wanted`` bytes or a prefix of them; none if they cannot be read.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    isCut = bytes.isEmpty
    sum.add(bytes)
    rest = rest.dropFirst(bytes.count)
  }

  /// `true` if the checksum matches; valid once ``wanted`` is nil.
  var isRight: Bool { rest.isEmpty && sum.value == expected }
}
