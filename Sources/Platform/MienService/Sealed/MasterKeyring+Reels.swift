internal import Crypto
internal import MienCore

/// The keys of reels under a seal.
extension MasterKeyring {
  /// Wraps the key of a reel; it is bound to its check.
  ///
  /// - Returns: 12 bytes of nonce, 32 of ciphertext, 16 of tag.
  func sealFrameLogKey(_ key: [UInt8], of check: CheckID, nonce: [UInt8]) -> [UInt8] {
    Self.box(key, under: roots[0].frameLogs, nonce: nonce, label: Array(check.text.utf8))
  }

  /// The key that ``closeReelKey(_:of:nonce:)`` wrapped; nil when it is another check's or another seal's, or was changed.
  ///
  /// What stays of a key that is no more opens it too: each server has the reels that it records to itself, so that nobody can
  /// wrap the keys of all of them anew.
  func openFrameLogKey(_ wrapped: some Collection<UInt8>, of check: CheckID) -> [UInt8]? {
    let older = remains.filter { $0.use == .frameLogs }.map { SymmetricKey(data: $0.key) }
    for key in roots.map(\.frameLogs) + older {
      let opened = Self.opened(wrapped, under: key, label: Array(check.text.utf8))
      if let opened, opened.count == 32 { return opened }
    }
    return nil
  }
}
