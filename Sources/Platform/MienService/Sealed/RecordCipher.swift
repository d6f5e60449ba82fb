internal import Crypto
internal import Foundation

/// The records of a sealed upload. The key is used for this upload alone; each record has a nonce of chance, since what was cut
/// off is followed by other bytes at the same place.
struct RecordCipher: Sendable {
  /// How many bytes a record has at most.
  static let most = 1 << 20
  /// What says how many bytes a record has.
  static let head = 4
  /// What a record takes besides its bytes: its head, 12 of nonce, 16 of tag.
  static let around = head + 28

  private let key: SymmetricKey

  init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

  /// How many bytes the record has that begins so; nil when none does.
  static func count(_ head: some Collection<UInt8>) -> Int? {
    let count = head.reduce(0) { $0 << 8 | Int($1) }
    return head.count == Self.head && (1...most).contains(count) ? count : nil
  }

  /// Appends the record of these bytes, 1 to ``most``, to `sealed`.
  ///
  /// - Parameters:
  ///   - offset: how many bytes of the upload are before them.
  ///   - nonce: 12 unguessable bytes.
  func seal(_ bytes: ArraySlice<UInt8>, at offset: Int, nonce: [UInt8], onto sealed: inout [UInt8]) {
    let label = Self.label(bytes.count, at: offset)
    guard let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.seal(bytes, using: key, nonce: nonce, authenticating: label), let combined = box.combined
    else { preconditionFailure("a nonce of 12 bytes is one that AES-GCM takes") }
    sealed += label.suffix(Self.head)
    sealed += combined
  }

  /// Appends a part of a record's bytes to `plain`; false when this is not a record that was sealed at this place.
  ///
  /// - Parameter part: places in the upload.
  func open(_ record: ArraySlice<UInt8>, at offset: Int, _ part: Range<Int>, onto plain: inout [UInt8]) -> Bool {
    guard let count = Self.count(record.prefix(Self.head)), record.count == count + Self.around,
      let box = try? AES.GCM.SealedBox(combined: record.dropFirst(Self.head)),
      let opened = try? AES.GCM.open(box, using: key, authenticating: Self.label(count, at: offset))
    else { return false }
    let wanted = part.clamped(to: offset..<offset + count)
    plain += opened.dropFirst(wanted.lowerBound - offset).prefix(wanted.count)
    return true
  }

  /// What is authenticated with a record: its place in 8 bytes, and its head.
  private static func label(_ count: Int, at offset: Int) -> [UInt8] {
    let (place, count) = (UInt64(offset), UInt32(count))
    return (0..<8).map { UInt8(truncatingIfNeeded: place >> (56 - 8 * $0)) }
      + (0..<head).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
  }
}
