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
    let count = Int(Array(head).bigEndian(at: 0, as: UInt32.self))
    return (1...most).contains(count) ? count + around : nil
  }

  /// Returns the record of a frame of 1 to ``most`` bytes.
  ///
  /// - Parameter place: the position of the record in the file.
  public func record(of frame: EncodedFrame, at place: Int) -> [UInt8] {
    precondition((1...Self.most).contains(frame.bytes.count), "a frame has 1 to \(Self.most) bytes")
    var record: [UInt8] = []
    record.reserveCapacity(frame.bytes.count + Self.around)
    record.append(bigEndian: UInt32(frame.bytes.count))
    record.append(bigEndian: frame.at.nanoseconds)
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
    return EncodedFrame(bytes: Array(opened), at: MonotonicInstant(nanoseconds: head.bigEndian(at: 4)))
  }

  /// Returns the authenticated data of a record: its position in 8 bytes, and its header.
  private static func label(_ head: [UInt8], at place: Int) -> [UInt8] {
    var label: [UInt8] = []
    label.append(bigEndian: UInt64(place))
    return label + head
  }

  public var description: String { "FrameCipher(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
