internal import MienCore
internal import MienService

/// How frames lie in the file of a reel, one record behind the other (Documentation/Formats/SealedReel.md).
enum FrameLogRecord: Sendable {
  case sealed(FrameCipher)
  /// As before there was sealing: the frame's time (8 bytes), its length (4 bytes) and the frame, little-endian.
  case open

  /// What records of both kinds begin with, in bytes.
  static var head: Int { FrameCipher.head }

  /// Where the first record begins.
  var start: Int {
    switch self {
    case .sealed: FrameLogCipher.head
    case .open: 0
    }
  }

  /// How many bytes the record has that begins so; nil when none does.
  func size(_ head: [UInt8]) -> Int? {
    switch self {
    case .sealed: return FrameCipher.size(head)
    case .open:
      guard head.count == Self.head else { return nil }
      let count = Int(Self.number(head.suffix(4)))
      // No frame is empty: these are zeros that a file system left behind.
      return count > 0 ? Self.head + count : nil
    }
  }

  /// The record of a frame.
  ///
  /// - Parameter place: how many bytes of the file are before it.
  func record(of frame: EncodedFrame, at place: Int) -> [UInt8] {
    switch self {
    case .sealed(let frames): return frames.record(of: frame, at: place)
    case .open:
      let time = UInt64(bitPattern: frame.at.nanoseconds)
      return Self.bytes(time, count: 8) + Self.bytes(UInt64(frame.bytes.count), count: 4) + frame.bytes
    }
  }

  /// The frame of a record; nil when this is none of this place.
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
