/// Seals a file that one piece of work reads again and again, under a key that is in this process's memory and nowhere else: what a death
/// leaves of it on a disk opens for nobody.
///
/// AES-256-GCM in chunks, as of blobs (Documentation/Formats/SealedBlob.md), without their head.
public struct EphemeralFileCipher: Sendable {
  /// The bytes of a chunk, but of the last, which may have fewer.
  public static let plain = ChunkCipher.plain
  /// What becomes of them.
  public static var sealed: Int { ChunkCipher.sealed }

  private let chunks: ChunkCipher

  /// - Parameter random: as many unguessable bytes as it is asked for.
  public init(random: (Int) -> [UInt8]) { chunks = ChunkCipher(key: random(32)) }

  /// - Parameters:
  ///   - bytes: a chunk; each place is sealed once.
  ///   - place: which chunk of the file it is, from 0.
  public func seal(_ bytes: ArraySlice<UInt8>, at place: Int, isLast: Bool) -> [UInt8] {
    var sealed: [UInt8] = []
    sealed.reserveCapacity(bytes.count + Self.sealed - Self.plain)
    chunks.seal(bytes, at: place, isLast: isLast, onto: &sealed)
    return sealed
  }

  /// Nil when these are not the bytes that were sealed at this place.
  public func open(_ sealed: ArraySlice<UInt8>, at place: Int, isLast: Bool) -> [UInt8]? {
    chunks.open(sealed, at: place, isLast: isLast)
  }
}
