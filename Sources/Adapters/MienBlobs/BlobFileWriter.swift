internal import Crypto
internal import Foundation
internal import MienPlatform

/// Writes a draft file and, if requested, computes the digest of its content.
actor BlobFileWriter: BlobWriter {
  private var file: DirectIOFile?
  private let draft: URL
  private let place: URL
  private var size = 0
  private var hash: SHA256?

  init(_ file: DirectIOFile, draft: URL, place: URL, isDigested: Bool) {
    self.file = file
    self.draft = draft
    self.place = place
    hash = isDigested ? SHA256() : nil
  }

  func write(_ bytes: [UInt8]) async throws {
    guard let file else { throw StoreError(.unavailable, reason: "The file has been closed.") }
    hash?.update(data: bytes)
    size += bytes.count
    try await BlockingFileIO.wait("Writing a file") { try file.append(bytes) }
  }

  func commit() async throws -> BlobInfo {
    guard let file else { throw StoreError(.unavailable, reason: "The file has been closed.") }
    self.file = nil
    let (draft, place) = (draft, place)
    try await BlockingFileIO.wait("Committing a file") {
      defer { try? FileManager.default.removeItem(at: draft) }
      try file.end()
      let folder = place.deletingLastPathComponent()
      try FileBlobStore.make(folder)
      do {
        // A hard link is created atomically and never overwrites another file.
        try FileManager.default.linkItem(at: draft, to: place)
      } catch {
        guard FileManager.default.fileExists(atPath: place.path) else { throw error }
        throw StoreError(.duplicate, reason: "A file with this name already exists.")
      }
      // The name is durable only after its directory is synchronized, and a new directory only after its parent is.
      for folder in [folder, folder.deletingLastPathComponent()] {
        let names = try FileHandle(forReadingFrom: folder)
        defer { try? names.close() }
        try names.synchronize()
      }
    }
    return BlobInfo(size: size, digest: hash.map { Array($0.finalize()) } ?? [])
  }

  func discard() async {
    guard let file else { return }
    self.file = nil
    let draft = draft
    // A file that cannot be deleted now is deleted by the next garbage collection at startup.
    try? await BlockingFileIO.wait("Discarding a file") {
      try? file.close()
      try FileManager.default.removeItem(at: draft)
    }
  }
}
