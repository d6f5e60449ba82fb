internal import MienPlatform

/// The header of an encrypted upload: its format and its wrapped key.
struct EncryptedUploadHeader {
  static let magic = Array("MIENPIECE1\u{0}\u{0}".utf8)
  /// 12 bytes of magic, and 60 bytes for the wrapped key.
  static var size: Int { magic.count + 60 }

  /// 32 bytes.
  let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// Parses the header of a file; `nil` for an upload that predates encryption.
  ///
  /// A key that can be unwrapped also identifies an encrypted upload: modifying only the magic does not make it a
  /// plaintext upload.
  ///
  /// - Parameter bytes: the first ``size`` bytes of the file, or fewer if it is shorter.
  /// - Throws: ``StoreError`` with `unavailable` if the key cannot be unwrapped for this upload with this keyring.
  init?(_ bytes: [UInt8], of id: UploadID, under keyring: MasterKeyring) throws {
    let isMarked = bytes.starts(with: Self.magic)
    let key = keyring.openUploadKey(bytes.dropFirst(Self.magic.count), of: id)
    guard isMarked || key != nil else { return nil }
    guard isMarked, let key else { throw Self.damaged }
    self.key = key
  }

  func bytes(of id: UploadID, under keyring: MasterKeyring, nonce: [UInt8]) -> [UInt8] {
    Self.magic + keyring.closeUploadKey(key, of: id, nonce: nonce)
  }

  static var damaged: StoreError {
    StoreError(
      .unavailable,
      reason: "An upload does not open with the server's seal. Restore the seal, or end the upload and send it again.")
  }
}
