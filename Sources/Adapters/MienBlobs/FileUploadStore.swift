internal import Foundation
public import MienService

/// Stores uploads as files in a directory, readable only by their owner.
public struct FileUploadStore: UploadStore {
  private let folder: URL

  /// Creates a store.
  ///
  /// - Parameter folder: Directory, created if it does not exist.
  /// - Throws: ``StoreError`` with `unavailable`.
  public init(_ folder: String) throws {
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    do {
      try FileBlobStore.make(self.folder)
    } catch {
      throw StoreError(
        .unavailable, reason: "\(folder) cannot be made. Check that the folder around it is writable.")
    }
  }

  public func open(_ id: UploadID, at offset: Int) async throws -> any UploadWriter {
    let (file, folder) = (place(of: id), folder)
    let handle = try await BlockingFileIO.wait("Beginning an upload") {
      if !FileManager.default.fileExists(atPath: file.path) {
        guard offset == 0 else { throw StoreError(.missing, reason: "There is no such upload.") }
        guard
          FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw StoreError(.unavailable, reason: "A file could not be made in \(folder.path).") }
        // The name is durable only after its directory is synchronized.
        let names = try FileHandle(forReadingFrom: folder)
        defer { try? names.close() }
        try names.synchronize()
      }
      let handle = try FileHandle(forUpdating: file)
      guard try handle.seekToEnd() >= UInt64(offset) else {
        try handle.close()
        throw StoreError(.missing, reason: "An upload has fewer bytes than were noted.")
      }
      try handle.truncate(atOffset: UInt64(offset))
      try handle.seek(toOffset: UInt64(offset))
      return handle
    }
    return UploadFileWriter(handle)
  }

  public func read(_ id: UploadID, _ range: Range<Int>) async throws -> [UInt8] {
    let file = place(of: id)
    return try await BlockingFileIO.wait("Reading an upload") {
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw StoreError(.missing, reason: "There is no such upload.")
      }
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      return try FileBlobStore.bytes(of: handle, range)
    }
  }

  public func delete(_ id: UploadID) async throws -> Bool {
    let file = place(of: id)
    return try await BlockingFileIO.wait("Erasing an upload") {
      guard FileManager.default.fileExists(atPath: file.path) else { return false }
      try FileManager.default.removeItem(at: file)
      return true
    }
  }

  public func collectGarbage(keeping isWanted: @Sendable (UploadID) async throws -> Bool) async throws -> Int {
    let folder = folder
    let names = try await BlockingFileIO.wait("Listing uploads") {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
    var count = 0
    for name in names {
      // Files that are not uploads are ignored.
      guard let id = UploadID(name), try await !isWanted(id) else { continue }
      if try await delete(id) { count += 1 }
    }
    return count
  }

  /// An upload ID has no character that could leave the directory.
  private func place(of id: UploadID) -> URL { folder.appendingPathComponent(id.text) }
}

/// Appends to one file.
private actor UploadFileWriter: UploadWriter {
  private var handle: FileHandle?

  init(_ handle: FileHandle) { self.handle = handle }

  func write(_ bytes: [UInt8]) async throws {
    let handle = try opened()
    try await BlockingFileIO.wait("Writing an upload") { try handle.write(contentsOf: bytes) }
  }

  func synchronize() async throws {
    let handle = try opened()
    try await BlockingFileIO.wait("Keeping an upload") { try handle.synchronize() }
  }

  func close() async {
    try? handle?.close()
    handle = nil
  }

  private func opened() throws -> FileHandle {
    guard let handle else { throw StoreError(.unavailable, reason: "The upload has been closed.") }
    return handle
  }
}
