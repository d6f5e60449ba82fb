internal import MienCore
internal import MienSecurity

/// Format of the frames in a frame log, one record after another (Documentation/reference/formats/SealedReel.md).
enum FrameLogRecord: Sendable {
  case sealed(FrameCipher)
  /// Legacy unencrypted format: timestamp (8 bytes), length (4 bytes), and frame, little-endian.
  case open

  /// Header size of records of both formats, in bytes.
  static var head: Int { FrameCipher.head }

  /// File offset of the first record.
  var start: Int {
    switch self {
    case .sealed: FrameLogCipher.head
    case .open: 0
    }
  }

  /// Returns the size of the record with this header, or `nil` if the header is invalid.
  func size(_ head: [UInt8]) -> Int? {
    switch self {
    case .sealed: return FrameCipher.size(head)
    case .open:
      guard head.count == Self.head else { return nil }
      let count = Int(Self.number(head.suffix(4)))
      // A length of zero is invalid: these are zeros that a file system left behind.
      return count > 0 ? Self.head + count : nil
    }
  }

  /// Encodes a frame as a record.
  ///
  /// - Parameter place: File offset of the record.
  func record(of frame: EncodedFrame, at place: Int) -> [UInt8] {
    switch self {
    case .sealed(let frames): return frames.record(of: frame, at: place)
    case .open:
      let time = UInt64(bitPattern: frame.at.nanoseconds)
      return Self.bytes(time, count: 8) + Self.bytes(UInt64(frame.bytes.count), count: 4) + frame.bytes
    }
  }

  /// Decodes the frame of a record, or returns `nil` if the record is not valid at this offset.
  func frame(of record: [UInt8], at place: Int) -> EncodedFrame? {
    switch self {
    case .sealed(let frames): return frames.frame(of: record, at: place)
    case .open:
      guard size(Array(record.prefix(Self.head))) == record.count else { return nil }
      let time = Int64(bitPattern: Self.number(record.prefix(8)))
      return EncodedFrame(bytes: Array(record.dropFirst(Self.head)), at: MonotonicInstant(nanoseconds: time))
    }
  }

  private static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
