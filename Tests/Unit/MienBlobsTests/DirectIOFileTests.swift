import MienTestGenerators
import Foundation
import MienTestSupport
import Synchronization
import Testing

@testable import MienBlobs

/// Files written with direct I/O, bypassing the page cache.
@Suite struct `Direct I/O files` {
  /// A folder on disk, and one in memory, whose file system has other block sizes or no direct I/O.
  private static let folders = [FileManager.default.temporaryDirectory.path, "/dev/shm"].filter {
    FileManager.default.isWritableFile(atPath: $0)
  }

  /// Random bytes, so that misplaced blocks are detected.
  private static let noise = {
    var generator = SplitMixGenerator(seed: 7)
    return (0..<(DirectIOFile.pieceBytes / 2)).flatMap { _ in
      let number = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }()

  /// Runs a closure with an empty temporary file.
  private func withFile<Value>(in folder: String, _ work: (String, FileHandle) throws -> Value) throws -> Value {
    let path = "\(folder)/mien-uncached-\(UUID())"
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try work(path, try #require(FileHandle(forWritingAtPath: path)))
  }

  private func content(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  private func written(_ pieces: [[UInt8]], in folder: String) throws -> [UInt8] {
    try withFile(in: folder) { path, handle in
      let file = DirectIOFile(handle)
      for piece in pieces { try file.append(piece) }
      try file.end()
      return try content(path)
    }
  }

  @Test(arguments: folders)
  func `appended bytes are read back at any size`(_ folder: String) throws {
    let piece = DirectIOFile.pieceBytes
    for size in [
      0, 1, 4095, 4096, 4097, piece - 1, piece, piece + 1, piece + 4095, piece + 4096, piece + 4097, 2 * piece - 1,
      2 * piece, 3 * piece + 12_345,
    ] {
      let bytes = Array(Self.noise[..<size])
      #expect(try written([bytes], in: folder) == bytes, "\(size) bytes at once")
    }
  }

  @Test(arguments: folders)
  func `bytes appended in parts of any size are read back`(_ folder: String) throws {
    var generator = SplitMixGenerator(seed: 8)
    for _ in 0..<10 {
      let parts = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        let most = [1, 100, 5000, 65_552, 600_000].randomElement(using: &generator) ?? 1
        let start = Int.random(in: 0..<1000, using: &generator)
        return Array(Self.noise[start...].prefix(Int.random(in: 0...most, using: &generator)))
      }
      #expect(try written(parts, in: folder) == Array(parts.joined()), "parts of \(parts.map(\.count))")
    }
  }

  // MARK: - Direct and cached writes

  #if canImport(Musl)
    private static let directFlag = O_DIRECT
  #elseif os(Linux)
    private static let directFlag = __O_DIRECT
  #endif

  /// Reports whether the temporary folder's file system supports direct I/O, without using the code under test.
  private func supportsDirectIO() throws -> Bool {
    #if os(Linux)
      return try withFile(in: FileManager.default.temporaryDirectory.path) { path, _ in
        let descriptor = unsafe open(path, O_WRONLY | Self.directFlag)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 4096)
        defer { unsafe block.deallocate() }
        return unsafe pwrite(descriptor, block.baseAddress, block.count, 0) == block.count
      }
    #else
      return true
    #endif
  }

  private func skipsWithoutDirectIO() throws -> Bool {
    guard try !supportsDirectIO() else { return false }
    print("skipped: the file system of the temporary folder does not support direct I/O")
    return true
  }

  /// Simulated disk that rejects the first direct write.
  private final class RejectingDisk: Sendable {
    let number: CInt
    /// Attempted writes: `true` for direct ones.
    let attempts = Mutex<[Bool]>([])

    init(rejecting number: CInt) { self.number = number }

    func rejection(_ isDirect: Bool) -> CInt? {
      attempts.withLock { attempts in
        attempts.append(isDirect)
        return isDirect && attempts.count == 1 ? number : nil
      }
    }
  }

  @Test func `whole pieces bypass the page cache`() throws {
    guard try !skipsWithoutDirectIO() else { return }
    let piece = DirectIOFile.pieceBytes
    for (size, direct) in [
      (piece - 1, 0), (piece, piece), (piece + 4095, piece), (2 * piece + 4097, 2 * piece + 4096),
    ] {
      try withFile(in: FileManager.default.temporaryDirectory.path) { _, handle in
        let descriptor = handle.fileDescriptor
        let file = DirectIOFile(handle) { isDirect in
          #if os(Linux)
            // The kernel's own state.
            #expect((fcntl(descriptor, F_GETFL) & Self.directFlag != 0) == isDirect)
          #endif
          return nil
        }
        try file.append(Array(Self.noise[..<size]))
        try file.end()
        #expect(file.directBytes == direct, "\(size) bytes")
      }
    }
  }

  /// The last value is Linux's ENOTSUPP, which has no name outside the kernel.
  @Test(arguments: [EINVAL, EOPNOTSUPP, 524])
  func `buffered I/O is used where a file system rejects direct writes late`(number: CInt) throws {
    guard try !skipsWithoutDirectIO() else { return }
    try withFile(in: FileManager.default.temporaryDirectory.path) { path, handle in
      let disk = RejectingDisk(rejecting: number)
      let file = DirectIOFile(handle) { disk.rejection($0) }
      let bytes = Array(Self.noise[..<(2 * DirectIOFile.pieceBytes + 5000)])
      try file.append(bytes)
      try file.end()
      #expect(try content(path) == bytes)
      #expect(file.directBytes == 0)
      #expect(
        disk.attempts.withLock { $0.filter(\.self).count } == 1, "direct I/O is not tried again after a rejection")
    }
  }

  @Test(arguments: [ENOSPC, EIO, EDQUOT, EFBIG, EROFS])
  func `a disk error is not retried with buffered I/O`(number: CInt) throws {
    guard try !skipsWithoutDirectIO() else { return }
    try withFile(in: FileManager.default.temporaryDirectory.path) { path, handle in
      let disk = RejectingDisk(rejecting: number)
      let file = DirectIOFile(handle) { disk.rejection($0) }
      #expect {
        try file.append([UInt8](repeating: 1, count: DirectIOFile.pieceBytes))
      } throws: { ($0 as? POSIXError)?.code.rawValue == number }
      #expect { try file.end() } throws: { ($0 as? POSIXError)?.code.rawValue == number }
      #expect(disk.attempts.withLock { $0 } == [true])
      let left = try content(path)
      #expect(left.isEmpty)
    }
  }

  // MARK: - Full disk

  @Test func `a full disk is reported`() throws {
    guard FileManager.default.isWritableFile(atPath: "/dev/full") else { return print("skipped: no /dev/full here") }
    let small = DirectIOFile(try #require(FileHandle(forWritingAtPath: "/dev/full")))
    try small.append([1])
    #expect { try small.end() } throws: { ($0 as? POSIXError)?.code == .ENOSPC }
    let large = DirectIOFile(try #require(FileHandle(forWritingAtPath: "/dev/full")))
    #expect {
      try large.append([UInt8](repeating: 1, count: DirectIOFile.pieceBytes))
    } throws: { ($0 as? POSIXError)?.code == .ENOSPC }
  }

  @Test func `a file is never complete after a failed write`() throws {
    try withFile(in: FileManager.default.temporaryDirectory.path) { _, handle in
      let isFull = Mutex(true)
      let file = DirectIOFile(handle) { _ in isFull.withLock { $0 } ? ENOSPC : nil }
      let piece = [UInt8](repeating: 1, count: DirectIOFile.pieceBytes)
      #expect { try file.append(piece) } throws: { ($0 as? POSIXError)?.code == .ENOSPC }
      // Space becomes available, but the lost data stays lost.
      isFull.withLock { $0 = false }
      #expect { try file.append(piece) } throws: { ($0 as? POSIXError)?.code == .ENOSPC }
      #expect { try file.end() } throws: { ($0 as? POSIXError)?.code == .ENOSPC }
      try file.close()
    }
  }
}
