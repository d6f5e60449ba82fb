internal import Crypto
internal import MienCore

/// Key wrapping for frame logs.
extension MasterKeyring {
  /// Wraps the key of a frame log, bound to its check.
  ///
  /// - Returns: 12 bytes of nonce, 32 of ciphertext, 16 of tag.
  func sealFrameLogKey(_ key: [UInt8], of check: CheckID, nonce: [UInt8]) -> [UInt8] {
    Self.box(key, under: roots[0].frameLogs, nonce: nonce, label: Array(check.text.utf8))
  }

  /// Unwraps a key that ``sealFrameLogKey(_:of:nonce:)`` wrapped; `nil` if it belongs to another check or keyring, or
  /// was modified.
  ///
  /// Retained parts of retired keys are tried as well: frame logs are local to the server that records them, so their
  /// keys cannot be rewrapped centrally.
  func openFrameLogKey(_ wrapped: some Collection<UInt8>, of check: CheckID) -> [UInt8]? {
    let older = remains.filter { $0.use == .frameLogs }.map { SymmetricKey(data: $0.key) }
    for key in roots.map(\.frameLogs) + older {
      let opened = Self.opened(wrapped, under: key, label: Array(check.text.utf8))
      if let opened, opened.count == 32 { return opened }
    }
    return nil
  }
}
