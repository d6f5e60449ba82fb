internal import MienPlatform
internal import Crypto
internal import Foundation

/// The header of an encrypted blob: its format and its wrapped key.
struct EncryptedBlobHeader {
  static let magic = Array("MIENBLOB1\u{0}\u{0}\u{0}".utf8)
  /// 12 bytes of magic, and 60 bytes for the wrapped key.
  static var size: Int { magic.count + 60 }

  /// 32 bytes.
  let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// Returns `nil` if the key cannot be unwrapped for this blob with this keyring.
  init?(_ bytes: [UInt8], of id: BlobID, under keyring: MasterKeyring) {
    guard bytes.count == Self.size, bytes.starts(with: Self.magic),
      let key = keyring.openBlobKey(Array(bytes.dropFirst(Self.magic.count)), of: id)
    else { return nil }
    self.key = key
  }

  func bytes(of id: BlobID, under keyring: MasterKeyring, nonce: [UInt8]) -> [UInt8] {
    Self.magic + keyring.closeBlobKey(key, of: id, nonce: nonce)
  }
}

/// Encrypts the chunks of a blob. Each blob has its own key, so the chunk index serves as the nonce.
struct ChunkCipher: Sendable {
  /// Plaintext size of every chunk but the last, which may be smaller.
  static let plain = 64 << 10
  static var sealed: Int { plain + 16 }

  private let key: SymmetricKey

  init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

  /// Returns the plaintext size for chunks of this total size; `nil` if there is no such total size.
  static func plainSize(of size: Int) -> Int? {
    guard size >= 16 else { return nil }
    let count = (size + sealed - 1) / sealed
    let plain = size - count * 16
    return plain > (count - 1) * Self.plain || count == 1 ? plain : nil
  }

  /// Appends the encrypted chunk to `sealed`.
  func seal(_ bytes: ArraySlice<UInt8>, at place: Int, isLast: Bool, onto sealed: inout [UInt8]) {
    guard let nonce = Self.nonce(place),
      let box = try? AES.GCM.seal(bytes, using: key, nonce: nonce, authenticating: [isLast ? 1 : 0])
    else { preconditionFailure("a nonce of 12 bytes is one that AES-GCM takes") }
    sealed += box.ciphertext
    sealed += box.tag
  }

  /// Returns `nil` if authentication fails for this index.
  func open(_ sealed: ArraySlice<UInt8>, at place: Int, isLast: Bool) -> [UInt8]? {
    guard sealed.count >= 16, let nonce = Self.nonce(place),
      let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16)),
      let plain = try? AES.GCM.open(box, using: key, authenticating: [isLast ? 1 : 0])
    else { return nil }
    return Array(plain)
  }

  private static func nonce(_ place: Int) -> AES.GCM.Nonce? {
    let number = UInt64(place)
    return try? AES.GCM.Nonce(
      data: [UInt8](repeating: 0, count: 4) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
  }
}
