import Foundation
import MienTestSupport
import Testing

@testable import MienBlobs

/// Files that are written past the system's cache.
@Suite struct `Uncached files` {
  /// A folder on the disk, and one in memory, whose file system takes pieces in its own way or not at all.
  private static let folders = [FileManager.default.temporaryDirectory.path, "/dev/shm"].filter {
    FileManager.default.isWritableFile(atPath: $0)
  }

  /// Bytes none of which tells where it is from another.
  private static let noise = {
    var dice = SplitMix(seed: 7)
    return (0..<(UncachedFile.pieceBytes / 2)).flatMap { _ in
      let number = dice.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }()

  private func written(_ pieces: [[UInt8]], in folder: String) throws -> [UInt8] {
    let path = "\(folder)/mien-uncached-\(UUID())"
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = UncachedFile(try #require(FileHandle(forWritingAtPath: path)))
    for piece in pieces { try file.append(piece) }
    try file.end()
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(arguments: folders)
  func `have what was appended, whatever its size`(_ folder: String) throws {
    let piece = UncachedFile.pieceBytes
    for size in [
      0, 1, 4095, 4096, 4097, piece - 1, piece, piece + 1, piece + 4095, piece + 4096, piece + 4097, 2 * piece - 1,
      2 * piece, 3 * piece + 12_345,
    ] {
      let bytes = Array(Self.noise[..<size])
      #expect(try written([bytes], in: folder) == bytes, "\(size) bytes at once")
    }
  }

  @Test(arguments: folders)
  func `have what was appended in parts of any size`(_ folder: String) throws {
    var dice = SplitMix(seed: 8)
    for _ in 0..<10 {
      let parts = (0..<Int.random(in: 1...12, using: &dice)).map { _ in
        let most = [1, 100, 5000, 65_552, 600_000].randomElement(using: &dice) ?? 1
        let start = Int.random(in: 0..<1000, using: &dice)
        return Array(Self.noise[start...].prefix(Int.random(in: 0...most, using: &dice)))
      }
      #expect(try written(parts, in: folder) == Array(parts.joined()), "parts of \(parts.map(\.count))")
    }
  }

  @Test func `say that the disk is full`() throws {
    guard FileManager.default.isWritableFile(atPath: "/dev/full") else { return print("skipped: no /dev/full here") }
    let small = UncachedFile(try #require(FileHandle(forWritingAtPath: "/dev/full")))
    try small.append([1])
    #expect { try small.end() } throws: { ($0 as? POSIXError)?.code == .ENOSPC }
    let large = UncachedFile(try #require(FileHandle(forWritingAtPath: "/dev/full")))
    #expect {
      try large.append([UInt8](repeating: 1, count: UncachedFile.pieceBytes))
    } throws: { ($0 as? POSIXError)?.code == .ENOSPC }
  }
}
