internal import MienPlatform
internal import Synchronization

/// Size and first bytes of a blob.
struct S3ObjectMetadata: Sendable {
  let size: Int
  let head: [UInt8]
}

/// Cache of blob metadata, so that reading a blob in pieces takes one request per piece. A blob is immutable and IDs are never reused, so
/// an entry can be stale only after a deletion, and then requests for its bytes fail.
final class S3ObjectMetadataCache: Sendable {
  private static let most = 512
  private let known = Mutex<[BlobID: S3ObjectMetadata]>([:])

  subscript(id: BlobID) -> S3ObjectMetadata? { known.withLock { $0[id] } }

  func keep(_ preview: S3ObjectMetadata, of id: BlobID) {
    known.withLock { known in
      if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
      known[id] = preview
    }
  }

  func remove(_ id: BlobID) { known.withLock { _ = $0.removeValue(forKey: id) } }
}
