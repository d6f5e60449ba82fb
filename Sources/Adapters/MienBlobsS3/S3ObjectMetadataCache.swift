internal import MienService
internal import Synchronization

/// What a look at a blob told: its size and its first bytes.
struct S3ObjectMetadata: Sendable {
  let size: Int
  let head: [UInt8]
}

/// Remembers looks at blobs, so that reading one piece by piece asks once for each piece. A blob never changes, and no name is
/// given twice: what is remembered is wrong only of one that has been erased, and its bytes are asked for all the same.
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

  func forget(_ id: BlobID) { known.withLock { _ = $0.removeValue(forKey: id) } }
}
