internal import Crypto
internal import Foundation
public import MienCore

/// Encrypts and decrypts the frames of one frame log, each as a record bound to its position in the file.
///
/// The key is used only for this frame log; each record has a random nonce, since truncated data is followed by
/// different bytes at the same position.
public struct FrameCipher: Sendable, CustomStringConvertible, CustomReflectable {
  /// Maximum size of a frame in bytes.
  public static let most = 16 << 20
  /// Size of a record header: the frame's size in 4 bytes, and its time in 8.
  public static let head = 12
  /// Overhead of a record: its header, 12 bytes of nonce, 16 of tag.
  public static let around = head + 28

  private let key: SymmetricKey
  private let random: @Sendable (Int) -> [UInt8]

  init(key: [UInt8], random: @escaping @Sendable (Int) -> [UInt8]) {
    self.key = SymmetricKey(data: key)
    self.random = random
  }

  /// Returns the size of the record with this header; `nil` if the header is invalid.
  public static func size(_ head: some Collection<UInt8>) -> Int? {
    guard head.count == Self.head else { return nil }
    let count = number(head.prefix(4))
    return (1...UInt64(most)).contains(count) ? Int(count) + around : nil
  }

  /// Returns the record of a frame of 1 to ``most`` bytes.
  ///
  /// - Parameter place: the position of the record in the file.
  public func record(of frame: EncodedFrame, at place: Int) -> [UInt8] {
    precondition((1...Self.most).contains(frame.bytes.count), "a frame has 1 to \(Self.most) bytes")
    let time = UInt64(bitPattern: frame.at.nanoseconds)
    var record: [UInt8] = []
    record.reserveCapacity(frame.bytes.count + Self.around)
    record += Self.bytes(UInt64(frame.bytes.count), count: 4) + Self.bytes(time, count: 8)
    guard let nonce = try? AES.GCM.Nonce(data: random(12)),
      let box = try? AES.GCM.seal(
        frame.bytes, using: key, nonce: nonce, authenticating: Self.label(record, at: place)),
      let combined = box.combined
    else { preconditionFailure("a nonce of 12 bytes is one that AES-GCM takes") }
    record += combined
    return record
  }

  /// Returns the frame of a record; `nil` if authentication fails for this position and frame log.
  public func frame(of record: [UInt8], at place: Int) -> EncodedFrame? {
    let head = Array(record.prefix(Self.head))
    guard Self.size(head) == record.count,
      let box = try? AES.GCM.SealedBox(combined: record.dropFirst(Self.head)),
      let opened = try? AES.GCM.open(box, using: key, authenticating: Self.label(head, at: place))
    else { return nil }
    let time = Int64(bitPattern: Self.number(head.suffix(8)))
    return EncodedFrame(bytes: Array(opened), at: MonotonicInstant(nanoseconds: time))
  }

  /// Returns the authenticated data of a record: its position in 8 bytes, and its header.
  private static func label(_ head: [UInt8], at place: Int) -> [UInt8] { bytes(UInt64(place), count: 8) + head }

  private static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }

  private static func number(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  public var description: String { "FrameCipher(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
