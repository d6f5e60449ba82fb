import MienBlobs
import MienPlatform
import Synchronization

/// Blob store that becomes unavailable for a while, like one on a network, without losing data.
final class FailingBlobStore: BlobStore {
  private let folder: FileBlobStore
  /// Number of calls that still succeed; `nil` for no limit.
  private let answers = Mutex<Int?>(nil)

  init(_ folder: FileBlobStore) {
    self.folder = folder
  }

  /// Answers a number of further calls, then fails until `comeBack()`.
  func goAway(after calls: Int = 0) {
    answers.withLock { $0 = calls }
  }

  func comeBack() {
    answers.withLock { $0 = nil }
  }

  private func answer() throws {
    let isThere = answers.withLock { left in
      guard let calls = left else { return true }
      left = max(calls - 1, 0)
      return calls > 0
    }
    guard isThere else { throw StoreError(.unavailable, reason: "The files are away.") }
  }

  private var files: FileBlobStore {
    get throws {
      try answer()
      return folder
    }
  }

  func begin(_ id: BlobID) async throws -> any BlobWriter {
    Writer(writer: try await files.begin(id)) { try self.answer() }
  }
  func size(of id: BlobID) async throws -> Int? { try await files.size(of: id) }
  func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] { try await files.read(id, range) }
  func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    try await files.overwrite(id, beginningWith: head)
  }
  func delete(_ id: BlobID) async throws -> Bool { try await files.delete(id) }
  func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    try await files.collectGarbage(keeping: wanted)
  }

  /// Writer that fails with the store and can then only be discarded.
  private struct Writer: BlobWriter {
    let writer: any BlobWriter
    let answer: @Sendable () throws -> Void

    func write(_ bytes: [UInt8]) async throws {
      try answer()
      try await writer.write(bytes)
    }

    func commit() async throws -> BlobInfo {
      try answer()
      return try await writer.commit()
    }

    func discard() async { await writer.discard() }
  }
}
