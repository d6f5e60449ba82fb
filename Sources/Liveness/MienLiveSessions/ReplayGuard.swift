internal import MienPlatform
internal import Crypto
internal import MienImaging
package import MienCore
internal import MienWorkers

/// Records which session submitted each recent frame with a face, so that a frame of one session cannot be replayed in
/// another. Frames without a face are not recorded: they prove nothing, and a covered camera sends the same image in
/// every session.
///
/// Holds the last `capacity` digests (16 bytes each, of SHA-256), about 6 MB by default; older ones are evicted.
package actor ReplayGuard {
  package enum Entry { case new, sameSession, otherSession }

  private struct Key: Hashable {
    let high: UInt64
    let low: UInt64

    init(_ digest: [UInt8]) {
      high = digest.bigEndian(at: 0)
      low = digest.bigEndian(at: 8)
    }
  }

  private let capacity: Int
  private var owners: [Key: CheckID] = [:]
  private var ring: [Key] = []
  private var next = 0

  package init(capacity: Int = 65_536) {
    self.capacity = capacity
  }

  /// Reports whether a frame was recorded before, and by which session, without recording it.
  package func find(_ digest: [UInt8], by session: CheckID) -> Entry {
    owners[Key(digest)].map { $0 == session ? .sameSession : .otherSession } ?? .new
  }

  /// Records a frame and reports whether it was submitted before, and by which session.
  package func enter(_ digest: [UInt8], by session: CheckID) -> Entry {
    let key = Key(digest)
    if let owner = owners[key] { return owner == session ? .sameSession : .otherSession }
    owners[key] = session
    if ring.count < capacity {
      ring.append(key)
    } else {
      owners[ring[next]] = nil
      ring[next] = key
      next = (next + 1) % capacity
    }
    return .new
  }

  /// Records the frames of a session that was on another server, by the first 16 bytes of each digest.
  package func adopt(_ digests: [UInt8], by session: CheckID) {
    for start in stride(from: 0, to: digests.count - 15, by: 16) {
      _ = enter(Array(digests[start..<start + 16]), by: session)
    }
  }

  /// Returns the SHA-256 digest of a frame's bytes.
  package nonisolated static func digest(of bytes: [UInt8]) async -> [UInt8] {
    guard bytes.count > 128 << 10 else { return Array(SHA256.hash(data: bytes)) }
    // Hashing a camera frame takes no longer than waking a thread; larger bodies go to a worker.
    return await WorkerPool.shared.run { Array(SHA256.hash(data: bytes)) }
  }

  /// Returns the digest to record for a frame: of the bytes that determine its pixels, so that a comment does not make
  /// it a different frame.
  package nonisolated static func contentDigest(of bytes: [UInt8]) async -> [UInt8] {
    guard let layout = ImageLayout(bytes) else { return await digest(of: bytes) }
    return await digest(of: layout.content.flatMap { bytes[$0] })
  }

  /// Rejects live frames with bytes after the end of the image: decoders ignore them, and cameras do not write any.
  package nonisolated static func requireNothingBehindImage(_ bytes: [UInt8]) throws {
    guard let layout = ImageLayout(bytes), layout.end < bytes.count else { return }
    throw ServiceError(
      .notAImage, "\(bytes.count - layout.end) bytes follow the end of the image. Send the image alone.")
  }
}
