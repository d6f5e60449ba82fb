internal import Crypto
internal import Foundation

/// Encrypts the records of an upload. The key is used only for this upload; each record has a random nonce, since
/// truncated data is followed by different bytes at the same position.
struct RecordCipher: Sendable {
  /// Maximum number of plaintext bytes per record.
  static let most = 1 << 20
  /// Size of the length field.
  static let head = 4
  /// Overhead of a record: its header, 12 bytes of nonce, 16 of tag.
  static let around = head + 28

  private let key: SymmetricKey

  init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

  /// Returns the plaintext size of the record with this header; `nil` if the header is invalid.
  static func count(_ head: some Collection<UInt8>) -> Int? {
    let count = head.reduce(0) { $0 << 8 | Int($1) }
    return head.count == Self.head && (1...most).contains(count) ? count : nil
  }

  /// Appends the record of these bytes, 1 to ``most``, to `sealed`.
  ///
  /// - Parameters:
  ///   - offset: the position of the bytes in the upload.
  ///   - nonce: 12 unguessable bytes.
  func seal(_ bytes: ArraySlice<UInt8>, at offset: Int, nonce: [UInt8], onto sealed: inout [UInt8]) {
    let label = Self.label(bytes.count, at: offset)
    guard let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.seal(bytes, using: key, nonce: nonce, authenticating: label), let combined = box.combined
    else { preconditionFailure("a nonce of 12 bytes is one that AES-GCM takes") }
    sealed += label.suffix(Self.head)
    sealed += combined
  }

  /// Appends a part of a record's bytes to `plain`; returns `false` if authentication fails for this position.
  ///
  /// - Parameter part: range of positions in the upload.
  func open(_ record: ArraySlice<UInt8>, at offset: Int, _ part: Range<Int>, onto plain: inout [UInt8]) -> Bool {
    guard let count = Self.count(record.prefix(Self.head)), record.count == count + Self.around,
      let box = try? AES.GCM.SealedBox(combined: record.dropFirst(Self.head)),
      let opened = try? AES.GCM.open(box, using: key, authenticating: Self.label(count, at: offset))
    else { return false }
    let wanted = part.clamped(to: offset..<offset + count)
    plain += opened.dropFirst(wanted.lowerBound - offset).prefix(wanted.count)
    return true
  }

  /// Returns the authenticated data of a record: its position in 8 bytes, and its header.
  private static func label(_ count: Int, at offset: Int) -> [UInt8] {
    let (place, count) = (UInt64(offset), UInt32(count))
    return (0..<8).map { UInt8(truncatingIfNeeded: place >> (56 - 8 * $0)) }
      + (0..<head).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
  }
}
