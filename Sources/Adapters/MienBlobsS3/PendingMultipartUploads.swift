internal import Synchronization

/// Writers of blobs that were begun by this process and neither committed nor discarded.
final class PendingMultipartUploads: Sendable {
  private struct Draft {
    weak var writer: S3BlobWriter?
  }

  private let drafts = Mutex<[ObjectIdentifier: Draft]>([:])

  func add(_ writer: S3BlobWriter) {
    drafts.withLock { $0[ObjectIdentifier(writer)] = Draft(writer: writer) }
  }

  func remove(_ writer: S3BlobWriter) { drafts.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(writer)) } }

  /// Removes and returns all writers.
  func takeAll() -> [S3BlobWriter] {
    drafts.withLock { drafts in
      defer { drafts.removeAll() }
      return drafts.values.compactMap(\.writer)
    }
  }
}
