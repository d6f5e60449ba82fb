internal import MienPlatform
public import MienCore

/// Encrypts frame logs, the frames of checks whose clips are not encoded yet: the stored data is unreadable without the
/// master keyring.
///
/// Each frame log has its own key, which is stored in the header of its file, wrapped under a key of the keyring and
/// bound to the check. The content consists of one record per frame (Documentation/reference/formats/EncryptedFrameLog.md).
public struct FrameLogCipher: Sendable {
  /// Size of a frame log's header: 12 bytes of magic, and 60 for the wrapped key.
  public static let head = magic.count + 60
  private static let magic = Array("MIENFRAMES1\u{0}".utf8)

  private let keyring: MasterKeyring
  private let random: @Sendable (Int) -> [UInt8]

  /// - Parameter random: returns the requested number of unguessable bytes.
  public init(_ keyring: MasterKeyring, random: @escaping @Sendable (Int) -> [UInt8]) {
    self.keyring = keyring
    self.random = random
  }

  /// Creates a frame log: returns the header of its file and the cipher of its frames.
  public func begin(_ check: CheckID) -> (head: [UInt8], frames: FrameCipher) {
    let key = random(32)
    let head = Self.magic + keyring.sealFrameLogKey(key, of: check, nonce: random(12))
    return (head, FrameCipher(key: key, random: random))
  }

  /// Returns the frame cipher of an existing frame log; `nil` if the file has no complete header, so that it contains no
  /// frames.
  ///
  /// A key that can be unwrapped also identifies a header: modifying only the magic does not make a log an empty one.
  ///
  /// - Parameter head: the first ``head`` bytes of the file, or fewer if it is shorter.
  /// - Throws: ``StoreError`` with `unavailable` if the key cannot be unwrapped for this check with this keyring.
  public func frames(of check: CheckID, beginningWith head: [UInt8]) throws -> FrameCipher? {
    guard head.count == Self.head else { return nil }
    let isMarked = head.starts(with: Self.magic)
    let key = keyring.openFrameLogKey(head.dropFirst(Self.magic.count), of: check)
    guard isMarked || key != nil else { return nil }
    guard isMarked, let key else {
      throw StoreError(
        .unavailable,
        reason: """
          A frame log cannot be decrypted with the server's keyring: it was modified, or belongs to another check or \
          keyring. Its check has no clip. If the keyring was replaced by hand, restore it; only the server may write to the data folder.
          """)
    }
    return FrameCipher(key: key, random: random)
  }
}
