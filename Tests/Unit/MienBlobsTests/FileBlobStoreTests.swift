import Foundation
import MienBlobs
import MienPlatform
import MienTestSupport
import Testing

@Suite struct `File blob store` {
  /// Runs a closure with a temporary folder.
  private func inFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-blobs-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func `conforms to the blob store contract`() async throws {
    try await inFolder { folder in try await checkBlobStore { try FileBlobStore(folder.path) } }
    try await inFolder { folder in try await checkBlobOverwriting(try FileBlobStore(folder.path), size: 1000) }
  }

  @Test func `conforms to the blob writer contract`() async throws {
    try await inFolder { folder in try await checkBlobWriter { try FileBlobStore(folder.path) } }
  }

  @Test func `committed blobs are visible after reopening and drafts are not`() async throws {
    try await inFolder { folder in
      let (kept, draft) = (try #require(BlobID("b-kept")), try #require(BlobID("b-draft")))
      let before = try FileBlobStore(folder.path)
      let writer = try await before.begin(kept)
      try await writer.write([1, 2, 3])
      _ = try await writer.commit()
      try await before.begin(draft).write([4])

      let after = try FileBlobStore(folder.path)
      #expect(try await after.read(kept, 0..<3) == [1, 2, 3])
      #expect(try await after.size(of: draft) == nil)
      #expect(try await after.collectGarbage { _ in true } == 1)
      #expect(try await after.size(of: kept) == 3)
    }
  }

  @Test func `files are readable only by their owner`() async throws {
    try await inFolder { folder in
      let id = try #require(BlobID("b-mine"))
      let store = try FileBlobStore(folder.path)
      let writer = try await store.begin(id)
      try await writer.write([1])
      _ = try await writer.commit()
      let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
      #expect(files.contains { $0.hasSuffix("b-mine") })
      for file in files {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + file)
        let rights = try #require(attributes[.posixPermissions] as? NSNumber).intValue
        #expect(rights & 0o077 == 0, "\(file) is open to others")
      }
    }
  }

  @Test func `garbage collection covers more files than one batch and deletes unreferenced ones`() async throws {
    try await inFolder { folder in
      let store = try FileBlobStore(folder.path)
      let subfolder = folder.appendingPathComponent("xx")
      try FileManager.default.createDirectory(at: subfolder, withIntermediateDirectories: true)
      let count = 2 * BlobID.mostAsked + 3
      let ids = try (0..<count).map { try #require(BlobID("b\($0)xx")) }
      for id in ids { try Data().write(to: subfolder.appendingPathComponent(id.text)) }
      let wanted = Set(ids.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
      #expect(try await store.collectGarbage { wanted.contains($0) } == count - wanted.count)
      let left = try FileManager.default.contentsOfDirectory(atPath: subfolder.path)
      #expect(Set(left.compactMap { BlobID($0) }) == wanted)
    }
  }

  @Test func `files that are not blobs are left alone`() async throws {
    try await inFolder { folder in
      let store = try FileBlobStore(folder.path)
      let foreignFile = folder.appendingPathComponent("ab").appendingPathComponent("read.me")
      try FileManager.default.createDirectory(
        at: foreignFile.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: foreignFile)
      #expect(try await store.collectGarbage { _ in false } == 0)
      #expect(FileManager.default.fileExists(atPath: foreignFile.path))
    }
  }

  @Test func `a folder that cannot be created is reported`() {
    let error = #expect(throws: StoreError.self) { _ = try FileBlobStore("/dev/null/blobs") }
    #expect(error?.code == .unavailable)
  }
}
