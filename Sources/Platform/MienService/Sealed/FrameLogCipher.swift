public import MienCore

/// Seals reels, the frames of checks whose films are not made yet: whoever has the disk and not the seal has noise.
///
/// Each reel has a key of its own, which stands at the head of its file, wrapped under a key of the seal and bound to the check.
/// What follows are records, one for each frame (Documentation/Formats/SealedReel.md).
public struct FrameLogCipher: Sendable {
  /// How many bytes the head of a reel has: 12 that say what it is, and 60 with the key.
  public static let head = magic.count + 60
  private static let magic = Array("MIENREELS1\u{0}\u{0}".utf8)

  private let keyring: MasterKeyring
  private let random: @Sendable (Int) -> [UInt8]

  /// - Parameter random: as many unguessable bytes as it is asked for.
  public init(_ keyring: MasterKeyring, random: @escaping @Sendable (Int) -> [UInt8]) {
    self.keyring = keyring
    self.random = random
  }

  /// Begins a reel: the head of its file, and what seals its frames.
  public func begin(_ check: CheckID) -> (head: [UInt8], frames: FrameCipher) {
    let key = random(32)
    let head = Self.magic + keyring.sealFrameLogKey(key, of: check, nonce: random(12))
    return (head, FrameCipher(key: key, random: random))
  }

  /// What seals and opens the frames of a reel that was begun; nil when it is one from before there was sealing, or when its head
  /// was cut off, behind which no frame can be.
  ///
  /// A key that opens shows what it is as well: whoever changes only the first bytes makes no open reel of a sealed one.
  ///
  /// - Parameter head: the first bytes of the file, ``head`` where there are as many.
  /// - Throws: ``StoreError`` with `unavailable` when it does not open under this seal as this check's.
  public func frames(of check: CheckID, beginningWith head: [UInt8]) throws -> FrameCipher? {
    guard head.count == Self.head else { return nil }
    let isMarked = head.starts(with: Self.magic)
    let key = keyring.openFrameLogKey(head.dropFirst(Self.magic.count), of: check)
    guard isMarked || key != nil else { return nil }
    guard isMarked, let key else {
      throw StoreError(
        .unavailable,
        reason: """
          A reel does not open with the server's seal: it was changed, or is another check's or another seal's. Its check has no \
          film. Restore the seal if it was exchanged by hand, and let nobody else write to the data folder.
          """)
    }
    return FrameCipher(key: key, random: random)
  }
}
