import MienBlobs
import MienService
import Synchronization

/// A folder of files that is away for a while, as one beyond a network may be, and comes back as it was.
final class FailingBlobStore: BlobStore {
  private let folder: FileBlobStore
  /// How many more calls are answered; nil: any number.
  private let answers = Mutex<Int?>(nil)

  init(_ folder: FileBlobStore) {
    self.folder = folder
  }

  /// Answers so many calls more, and then nothing until it comes back.
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

  /// What was begun is away with the rest, and can only be forgotten.
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
