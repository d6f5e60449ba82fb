internal import Foundation
public import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Serves page files from memory: each is read once, and again after it has changed.
///
/// A client that reads its response slowly holds no open file and no more than one chunk of memory of its own.
public struct PageFiles: FileProvider {
  public typealias FileAttributes = LocalFileSystem.FileAttributes
  public typealias FileIdentifier = String

  private struct Entry {
    let size: Int
    let modified: Date
    let bytes: ByteBuffer
  }

  private final class Cache: Sendable {
    let entries = Mutex<[String: Entry]>([:])
  }

  /// Maximum size of a cached file and of all cached files together, in bytes; others are streamed from disk.
  private static let largest = 4 << 20
  private static let total = 32 << 20
  private static let piece = 64 << 10

  private let files: LocalFileSystem
  private let cache = Cache()

  public init(folder: String) {
    files = LocalFileSystem(
      rootFolder: folder, threadPool: NIOThreadPool.singleton, logger: Logger(label: "FileMiddleware"))
  }

  public func getFileIdentifier(_ path: String) -> String? { files.getFileIdentifier(path) }

  public func getAttributes(id: String) async throws -> FileAttributes? { try await files.getAttributes(id: id) }

  public func loadFile(id: String, context: some RequestContext) async throws -> ResponseBody {
    guard let bytes = try await bytes(of: id) else { return try await files.loadFile(id: id, context: context) }
    return Self.body(bytes)
  }

  public func loadFile(id: String, range: ClosedRange<Int>, context: some RequestContext) async throws -> ResponseBody {
    guard let bytes = try await bytes(of: id) else {
      return try await files.loadFile(id: id, range: range, context: context)
    }
    let range = Range(range).clamped(to: 0..<bytes.readableBytes)
    return Self.body(bytes.getSlice(at: bytes.readerIndex + range.lowerBound, length: range.count) ?? ByteBuffer())
  }

  /// Returns the contents of a file, or `nil` if it is too large for the cache.
  private func bytes(of id: String) async throws -> ByteBuffer? {
    guard let found = try await files.getAttributes(id: id), !found.isFolder, found.size <= Self.largest else {
      return nil
    }
    let known = cache.entries.withLock { $0[id] }
    if let known, known.size == found.size, known.modified == found.modificationDate { return known.bytes }
    let bytes = try await NIOThreadPool.singleton.runIfActive {
      ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: id)))
    }
    let isHeld = cache.entries.withLock { entries in
      entries[id] = nil
      guard entries.values.reduce(bytes.readableBytes, { $0 + $1.size }) <= Self.total else { return false }
      entries[id] = Entry(size: bytes.readableBytes, modified: found.modificationDate, bytes: bytes)
      return true
    }
    return isHeld ? bytes : nil
  }

  /// Streams the contents in chunks with backpressure.
  private static func body(_ bytes: ByteBuffer) -> ResponseBody {
    ResponseBody(contentLength: bytes.readableBytes) { writer in
      var rest = bytes
      while rest.readableBytes > 0, let piece = rest.readSlice(length: min(rest.readableBytes, Self.piece)) {
        try await writer.write(piece)
      }
      try await writer.finish(nil)
    }
  }
}
