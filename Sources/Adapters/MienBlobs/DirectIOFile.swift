internal import Foundation
internal import Synchronization

/// Appends to a file, bypassing the system's page cache.
///
/// Photos and scans are written once, at the speed of the sender, and read rarely. In the page cache each of their bytes would be copied
/// once more, into a page that the system must allocate first, which on a virtual machine can cost more than the rest of an upload, and
/// cached pages of other data would be evicted. Therefore whole pieces of ``pieceBytes`` go from memory to the disk directly (`O_DIRECT`,
/// open(2)). A smaller file, the bytes after a file's last whole block, and all bytes on a file system without direct I/O go through the
/// page cache as usual.
///
/// Only one task may use an instance at a time.
final class DirectIOFile: Sendable {
  /// Returns the error number with which the disk rejects a write, or `nil` to accept it. For tests.
  typealias RejectionReason = @Sendable (_ isDirect: Bool) -> CInt?

  /// Number of bytes gathered for one system call, which is also the memory use of an open file.
  static let pieceBytes = 512 << 10
  /// Required alignment of addresses, lengths, and offsets: the block size of common disks and the page size of common systems.
  private static let block = 4096

  private let handle: FileHandle
  private let piece: Mutex<Piece>

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - handle: An empty file open for writing; this object closes it.
  ///   - refusing: Called before each system call.
  init(_ handle: FileHandle, refusing: @escaping RejectionReason = { _ in nil }) {
    self.handle = handle
    piece = Mutex(Piece(refusing: refusing))
  }

  /// Number of bytes written directly so far.
  var directBytes: Int { piece.withLock { $0.directBytes } }

  /// Appends bytes. On return the caller no longer needs them; they may remain in this object's memory until ``end()``.
  ///
  /// - Throws: `POSIXError`, after which the file must be closed.
  func append(_ bytes: [UInt8]) throws {
    try piece.withLock { piece in
      var copied = 0
      while copied < bytes.count {
        copied += piece.fill(from: bytes, at: copied)
        if piece.isFull { try piece.flush(to: handle.fileDescriptor) }
      }
    }
  }

  /// Makes all appended bytes durable and closes the file. Nothing can be appended afterward.
  ///
  /// - Throws: System errors, including those of an earlier ``append(_:)``.
  func end() throws {
    try piece.withLock { piece in
      try piece.flush(to: handle.fileDescriptor)
      try handle.synchronize()
      try handle.close()
    }
  }

  /// Closes the file without writing the bytes still in memory.
  func close() throws { try piece.withLock { _ in try handle.close() } }

  /// Buffered bytes that have not been written yet, and their position in the file.
  @safe private struct Piece: ~Copyable {
    /// Errors of the disk rather than of direct I/O: the page cache would fail as well, or would hide the error.
    private static let diskErrors = [EIO, ENOSPC, EDQUOT, EFBIG, EROFS]

    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: block)
    /// Number of buffered bytes.
    private var count = 0
    /// File offset of the first buffered byte, a multiple of the block size.
    private var offset = 0
    /// `true` while pieces are written directly; `false` once the file system has rejected one.
    private var isDirect = true
    private(set) var directBytes = 0
    /// First error. After it, appended bytes are missing from the file, which remains incomplete.
    private var failure: POSIXError?
    private let refusal: RejectionReason

    init(refusing: @escaping RejectionReason) { refusal = refusing }

    deinit { unsafe memory.deallocate() }

    var isFull: Bool { count == pieceBytes }

    /// Copies as many bytes as fit and returns their number.
    mutating func fill(from bytes: [UInt8], at start: Int) -> Int {
      let copied = min(bytes.count - start, pieceBytes - count)
      unsafe bytes.withUnsafeBytes { source in
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + copied]))
      }
      count += copied
      return copied
    }

    /// Writes all buffered bytes. Only the last call for a file writes less than a whole piece.
    mutating func flush(to descriptor: CInt) throws(POSIXError) {
      if let failure { throw failure }
      do {
        // Direct I/O is not worthwhile for a file smaller than a piece.
        let whole = isFull || offset > 0 ? count / block * block : 0
        try writeDirectly(0..<whole, to: descriptor)
        try write(whole..<count, to: descriptor)
      } catch {
        let failure = error.named
        self.failure = failure
        throw failure
      }
      offset += count
      count = 0
    }

    /// Writes whole blocks directly, or through the page cache if the file system rejects that.
    ///
    /// - Parameter range: Whole blocks.
    private mutating func writeDirectly(_ range: Range<Int>, to descriptor: CInt) throws(ErrorNumber) {
      isDirect = isDirect && !range.isEmpty && Self.setDirect(true, descriptor)
      guard isDirect else { return try write(range, to: descriptor) }
      do {
        try write(range, to: descriptor, isDirect: true)
        directBytes += range.count
        isDirect = Self.setDirect(false, descriptor)
      } catch let error where !Self.diskErrors.contains(error.number) {
        // A disk with larger blocks, or a file system that accepts the flag and not the write; error numbers vary.
        isDirect = false
        _ = Self.setDirect(false, descriptor)
        try write(range, to: descriptor)
      }
    }

    private func write(_ range: Range<Int>, to descriptor: CInt, isDirect: Bool = false) throws(ErrorNumber) {
      var place = range.lowerBound
      while place < range.upperBound {
        if let number = refusal(isDirect) { throw ErrorNumber(number: number) }
        let written = unsafe pwrite(
          descriptor, memory.baseAddress! + place, range.upperBound - place, off_t(offset + place))
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw ErrorNumber(number: written < 0 ? errno : ENOSPC) }
        place += written
      }
    }

    /// Returns `false` if the file system does not support direct I/O.
    private static func setDirect(_ isDirect: Bool, _ descriptor: CInt) -> Bool {
      #if os(Linux)
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0 else { return false }
        return fcntl(descriptor, F_SETFL, isDirect ? flags | directFlag : flags & ~directFlag) == 0
      #else
        return fcntl(descriptor, F_NOCACHE, isDirect ? 1 : 0) == 0
      #endif
    }

    #if canImport(Musl)
      private static let directFlag = O_DIRECT
    #elseif os(Linux)
      /// glibc always declares this name, but `O_DIRECT` only with extensions beyond POSIX.
      private static let directFlag = __O_DIRECT
    #endif
  }

  /// System error number. Some, defined by file systems, have no `POSIXErrorCode`.
  private struct ErrorNumber: Error {
    let number: CInt

    var named: POSIXError { POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO) }
  }
}
