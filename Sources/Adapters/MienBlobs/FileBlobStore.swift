internal import Foundation
public import MienPlatform

/// Stores blobs as files in a directory: drafts in `drafts/`, committed blobs in subdirectories named after the last two characters of
/// their names.
///
/// A committed file has been synchronized and linked to its name atomically, and its directory synchronized. Files are readable only by
/// their owner. Disk I/O blocks threads other than those that run tasks.
public struct FileBlobStore: BlobStore {
  private let folder: URL
  private var drafts: URL { folder.appendingPathComponent("drafts", isDirectory: true) }

  /// Creates a store.
  ///
  /// - Parameter folder: Directory, created if it does not exist.
  /// - Throws: ``StoreError`` with `unavailable`.
  public init(_ folder: String) throws {
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    do {
      try Self.make(drafts)
    } catch {
      throw StoreError(
        .unavailable, reason: "\(folder) cannot be created. Check that its parent folder is writable.")
    }
  }

  public func begin(_ id: BlobID) async throws -> any BlobWriter { try await begin(id, isDigested: true) }

  public func begin(_ id: BlobID, isDigested: Bool) async throws -> any BlobWriter {
    let draft = drafts.appendingPathComponent(id.text)
    let file = try await BlockingFileIO.wait("Creating a file") {
      guard
        FileManager.default.createFile(atPath: draft.path, contents: nil, attributes: [.posixPermissions: 0o600])
      else { throw StoreError(.unavailable, reason: "A file could not be created in \(draft.path).") }
      return DirectIOFile(try FileHandle(forWritingTo: draft))
    }
    return BlobFileWriter(file, draft: draft, place: place(of: id), isDigested: isDigested)
  }

  public func nearby<Value>(_ work: () async throws -> Value) async throws -> Value {
    try await FileIOThreadPool.shared.run(work)
  }

  public func size(of id: BlobID) async throws -> Int? {
    let path = place(of: id).path
    return try await BlockingFileIO.wait("Looking for a file") {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue
    }
  }

  public func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] {
    let file = place(of: id)
    return try await BlockingFileIO.wait("Reading a file") {
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw StoreError(.missing, reason: "There is no such file.")
      }
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      return try Self.bytes(of: handle, range)
    }
  }

  /// Returns the bytes in `range` up to the end of the file, read directly into the array without an intermediate copy.
  static func bytes(of handle: FileHandle, _ range: Range<Int>) throws -> [UInt8] {
    let start = max(range.lowerBound, 0)
    let wanted = min(range.upperBound, Int(clamping: try handle.seekToEnd())) - start
    guard wanted > 0 else { return [] }
    let descriptor = handle.fileDescriptor
    var failure: POSIXError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      while count < wanted {
        let read = unsafe pread(descriptor, buffer.baseAddress! + count, wanted - count, off_t(start + count))
        if read < 0, errno == EINTR { continue }
        if read < 0 { failure = POSIXError(.init(rawValue: errno) ?? .EIO) }
        // End of file: the file was truncated meanwhile.
        guard read > 0 else { return }
        count += read
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Overwrites in place: at most 512 bytes at the start of a file are in one disk sector, which is written atomically.
  public func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    let file = place(of: id)
    try await BlockingFileIO.wait("Writing a file") {
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw StoreError(.missing, reason: "There is no such file.")
      }
      let handle = try FileHandle(forUpdating: file)
      defer { try? handle.close() }
      guard head.count <= 512, try handle.seekToEnd() >= UInt64(head.count) else {
        throw StoreError(.unavailable, reason: "A file is shorter than its new beginning.")
      }
      try handle.seek(toOffset: 0)
      try handle.write(contentsOf: head)
      try handle.synchronize()
    }
  }

  public func delete(_ id: BlobID) async throws -> Bool {
    let file = place(of: id)
    return try await BlockingFileIO.wait("Deleting a file") {
      guard FileManager.default.fileExists(atPath: file.path) else { return false }
      try FileManager.default.removeItem(at: file)
      return true
    }
  }

  public func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    var unwanted = try await BlockingFileIO.wait("Listing files") {
      try FileManager.default.contentsOfDirectory(at: drafts, includingPropertiesForKeys: nil)
    }
    // Files that are not blobs are ignored.
    let ours = try await kept().compactMap { file in BlobID(file.lastPathComponent).map { (id: $0, file: file) } }
    for start in stride(from: 0, to: ours.count, by: BlobID.mostAsked) {
      let some = ours[start...].prefix(BlobID.mostAsked)
      let kept = try await wanted(some.map(\.id))
      unwanted += some.filter { !kept.contains($0.id) }.map(\.file)
    }
    let found = unwanted
    return try await BlockingFileIO.wait("Deleting files") {
      for file in found { try FileManager.default.removeItem(at: file) }
      return found.count
    }
  }

  private func kept() async throws -> [URL] {
    let (folder, drafts) = (folder, drafts.lastPathComponent)
    return try await BlockingFileIO.wait("Listing files") {
      let manager = FileManager.default
      let subdirectories = try manager.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      return try subdirectories.filter { $0.lastPathComponent != drafts && $0.hasDirectoryPath }.flatMap {
        try manager.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
      }
    }
  }

  /// A blob ID has no character that could leave the directory.
  private func place(of id: BlobID) -> URL {
    folder.appendingPathComponent(String(id.text.suffix(2)).lowercased(), isDirectory: true)
      .appendingPathComponent(id.text)
  }

  /// Returns the paths of all committed blobs within `folder`, for backups; empty if the directory does not exist.
  ///
  /// - Throws: System errors.
  public static func paths(in folder: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
      let parts = path.split(separator: "/")
      return parts.count == 2 && parts[0] != "drafts" && BlobID(String(parts[1])) != nil
    }.sorted()
  }

  static func make(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}

/// Runs blocking file I/O without blocking other tasks, and converts system errors to ``StoreError``.
enum BlockingFileIO {
  static func wait<Value: Sendable>(
    _ what: String, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    do {
      return try await FileIOThreadPool.shared.wait(work)
    } catch let error as StoreError {
      throw error
    } catch {
      // The message of a system error contains a path and therefore a blob ID.
      throw StoreError(.unavailable, reason: "\(what) failed: \(type(of: error)) \((error as NSError).code).")
    }
  }
}
