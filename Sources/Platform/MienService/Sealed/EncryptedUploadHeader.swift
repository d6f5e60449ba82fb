/// The head of a sealed upload: what it is, and its key under the seal.
struct EncryptedUploadHeader {
  static let magic = Array("MIENPIECE1\u{0}\u{0}".utf8)
  /// 12 bytes that say what it is, and 60 with the key.
  static var size: Int { magic.count + 60 }

  /// 32 bytes.
  let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// The head that a file begins with; nil when it is an upload from before there was sealing.
  ///
  /// A key that opens shows what it is as well: whoever changes only the first bytes makes no open upload of a sealed one.
  ///
  /// - Parameter bytes: the first of the file, ``size`` where there are as many.
  /// - Throws: ``StoreError`` with `unavailable` when it does not open under this seal as this upload's.
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
