/// Encrypts a temporary file under a key that exists only in this process's memory: files that remain after a crash
/// cannot be decrypted.
///
/// AES-256-GCM in chunks as for blobs (Documentation/reference/formats/SealedBlob.md), without their header.
public struct EphemeralFileCipher: Sendable {
  /// Plaintext size of every chunk but the last, which may be smaller.
  public static let plain = ChunkCipher.plain
  /// Encrypted size of such a chunk.
  public static var sealed: Int { ChunkCipher.sealed }

  private let chunks: ChunkCipher

  /// - Parameter random: returns the requested number of unguessable bytes.
  public init(random: (Int) -> [UInt8]) { chunks = ChunkCipher(key: random(32)) }

  /// Encrypts a chunk.
  ///
  /// - Parameters:
  ///   - bytes: the chunk; each index must be encrypted only once.
  ///   - place: the index of the chunk in the file, from 0.
  public func seal(_ bytes: ArraySlice<UInt8>, at place: Int, isLast: Bool) -> [UInt8] {
    var sealed: [UInt8] = []
    sealed.reserveCapacity(bytes.count + Self.sealed - Self.plain)
    chunks.seal(bytes, at: place, isLast: isLast, onto: &sealed)
    return sealed
  }

  /// Returns `nil` if authentication fails for this index.
  public func open(_ sealed: ArraySlice<UInt8>, at place: Int, isLast: Bool) -> [UInt8]? {
    chunks.open(sealed, at: place, isLast: isLast)
  }
}
