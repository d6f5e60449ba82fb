internal import Foundation
internal import Synchronization

/// Appends to a file past the system's cache of pages.
///
/// Photographs and scans are written once, at the speed of their sender, and read seldom. In the cache each of their bytes
/// would be copied once more, into a page that the system has to find first, which on a virtual machine can cost more than
/// everything else an upload does; and what others have there would go. So whole pieces of ``pieceBytes`` go from memory to the
/// disk (`O_DIRECT`, open(2)); a file that is smaller, and the bytes behind a file's last whole block, go through the cache as
/// usual, and so does everything where the file system does not take pieces directly.
///
/// Not more than one task at a time.
final class DirectIOFile: Sendable {
  /// What a disk says instead of taking bytes, as an error's number; nil when it takes them. For tests.
  typealias RejectionReason = @Sendable (_ isDirect: Bool) -> CInt?

  /// How many bytes are gathered for one call of the system, which is also what a file holds of memory.
  static let pieceBytes = 512 << 10
  /// What addresses, lengths and places must be multiples of: the block of common disks, and the page of common systems.
  private static let block = 4096

  private let handle: FileHandle
  private let piece: Mutex<Piece>

  /// - Parameters:
  ///   - handle: an empty file, open for writing; this closes it.
  ///   - refusing: is asked before each call of the system.
  init(_ handle: FileHandle, refusing: @escaping RejectionReason = { _ in nil }) {
    self.handle = handle
    piece = Mutex(Piece(refusing: refusing))
  }

  /// How many bytes have gone directly so far.
  var directBytes: Int { piece.withLock { $0.directBytes } }

  /// Returns when the bytes need not be held any longer; they may be in this object's memory until ``end()``.
  ///
  /// - Throws: `POSIXError`, after which the file is to be closed.
  func append(_ bytes: [UInt8]) throws {
    try piece.withLock { piece in
      var taken = 0
      while taken < bytes.count {
        taken += piece.fill(from: bytes, at: taken)
        if piece.isFull { try piece.flush(to: handle.fileDescriptor) }
      }
    }
  }

  /// Makes everything durable that was appended; nothing more is.
  ///
  /// - Throws: errors of the system, those of an ``append(_:)`` before as well.
  func end() throws {
    try piece.withLock { piece in
      try piece.flush(to: handle.fileDescriptor)
      try handle.synchronize()
      try handle.close()
    }
  }

  /// Leaves the file as it is, without what is still in memory.
  func close() throws { try piece.withLock { _ in try handle.close() } }

  /// What has not been written yet, and where it goes.
  @safe private struct Piece: ~Copyable {
    /// What is wrong with the disk and not with the way to it: the other way would be wrong as well, or look as if all was well.
    private static let troubles = [EIO, ENOSPC, EDQUOT, EFBIG, EROFS]

    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: block)
    /// How many bytes of the memory wait.
    private var count = 0
    /// The place in the file of the first of them, a multiple of a block.
    private var offset = 0
    /// Whether pieces go directly; false once the file system has refused one.
    private var isDirect = true
    private(set) var directBytes = 0
    /// What went wrong: bytes that were appended are missing from the file then, and it is never whole.
    private var failure: POSIXError?
    private let refusal: RejectionReason

    init(refusing: @escaping RejectionReason) { refusal = refusing }

    deinit { unsafe memory.deallocate() }

    var isFull: Bool { count == pieceBytes }

    /// Takes as many bytes as there is room for; says how many.
    mutating func fill(from bytes: [UInt8], at start: Int) -> Int {
      let taken = min(bytes.count - start, pieceBytes - count)
      unsafe bytes.withUnsafeBytes { source in
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + taken]))
      }
      count += taken
      return taken
    }

    /// Writes all that waits. Only the last time in a file is it not a whole piece.
    mutating func flush(to descriptor: CInt) throws(POSIXError) {
      if let failure { throw failure }
      do {
        // A file that is smaller than a piece is not worth a way of its own.
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

    /// - Parameter range: whole blocks.
    private mutating func writeDirectly(_ range: Range<Int>, to descriptor: CInt) throws(Numbered) {
      isDirect = isDirect && !range.isEmpty && Self.setDirect(true, descriptor)
      guard isDirect else { return try write(range, to: descriptor) }
      do {
        try write(range, to: descriptor, isDirect: true)
        directBytes += range.count
        isDirect = Self.setDirect(false, descriptor)
      } catch let error where !Self.troubles.contains(error.number) {
        // A disk of larger blocks, or a file system that takes the word and not the bytes, each with a number of its own.
        isDirect = false
        _ = Self.setDirect(false, descriptor)
        try write(range, to: descriptor)
      }
    }

    private func write(_ range: Range<Int>, to descriptor: CInt, isDirect: Bool = false) throws(Numbered) {
      var place = range.lowerBound
      while place < range.upperBound {
        if let number = refusal(isDirect) { throw Numbered(number: number) }
        let written = unsafe pwrite(
          descriptor, memory.baseAddress! + place, range.upperBound - place, off_t(offset + place))
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw Numbered(number: written < 0 ? errno : ENOSPC) }
        place += written
      }
    }

    /// False where the file system knows no such thing.
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
      /// glibc shows it under this name to everybody, under its own only to who asks for more than POSIX.
      private static let directFlag = __O_DIRECT
    #endif
  }

  /// An error of the system. Some, which file systems make up, have no name.
  private struct Numbered: Error {
    let number: CInt

    var named: POSIXError { POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO) }
  }
}
