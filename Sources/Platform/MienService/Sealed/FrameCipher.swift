internal import Crypto
internal import Foundation
public import MienCore

/// Seals and opens the frames of one reel, each as a record for its place in the file.
///
/// The key is used for this reel alone; each record has a nonce of chance, since what was cut off is followed by other bytes at
/// the same place.
public struct FrameCipher: Sendable, CustomStringConvertible, CustomReflectable {
  /// How many bytes a frame has at most.
  public static let most = 16 << 20
  /// What a record begins with: how many bytes the frame has, in 4, and its time, in 8.
  public static let head = 12
  /// What a record takes besides the frame: its head, 12 of nonce, 16 of tag.
  public static let around = head + 28

  private let key: SymmetricKey
  private let random: @Sendable (Int) -> [UInt8]

  init(key: [UInt8], random: @escaping @Sendable (Int) -> [UInt8]) {
    self.key = SymmetricKey(data: key)
    self.random = random
  }

  /// How many bytes the record has that begins so; nil when none does.
  public static func size(_ head: some Collection<UInt8>) -> Int? {
    guard head.count == Self.head else { return nil }
    let count = number(head.prefix(4))
    return (1...UInt64(most)).contains(count) ? Int(count) + around : nil
  }

  /// The record of a frame of 1 to ``most`` bytes.
  ///
  /// - Parameter place: how many bytes of the file are before it.
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

  /// The frame of a record; nil when this is not one that was sealed at this place of this reel.
  public func frame(of record: [UInt8], at place: Int) -> EncodedFrame? {
    let head = Array(record.prefix(Self.head))
    guard Self.size(head) == record.count,
      let box = try? AES.GCM.SealedBox(combined: record.dropFirst(Self.head)),
      let opened = try? AES.GCM.open(box, using: key, authenticating: Self.label(head, at: place))
    else { return nil }
    let time = Int64(bitPattern: Self.number(head.suffix(8)))
    return EncodedFrame(bytes: Array(opened), at: MonotonicInstant(nanoseconds: time))
  }

  /// What is authenticated with a record: its place in 8 bytes, and its head.
  private static func label(_ head: [UInt8], at place: Int) -> [UInt8] { bytes(UInt64(place), count: 8) + head }

  private static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }

  private static func number(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  public var description: String { "SealedFrames(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
