import Foundation
import MienDepth
import MienService
import Synchronization

/// A file of a scan under work: sealed on the disk, opened chunk by chunk as it is read.
///
/// A scan may have thousands of files: none stays open, and of none that was read to its end anything stays in memory.
final class EncryptedScratchFile: ByteSource {
  let count: Int
  private let path: String
  private let keyring: EphemeralFileCipher
  /// What was opened last: most readings go on where the one before ended.
  private let last = Mutex<(place: Int, chunk: [UInt8])?>(nil)

  /// - Parameters:
  ///   - path: of the sealed file.
  ///   - count: of its bytes before they were sealed.
  init(_ path: String, count: Int, keyring: EphemeralFileCipher) {
    self.path = path
    self.count = count
    self.keyring = keyring
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    last.withLock { last in
      var handle: FileHandle?
      defer { try? handle?.close() }
      while bytes.count < range.count {
        let start = range.lowerBound + bytes.count
        let place = start / EphemeralFileCipher.plain
        if last?.place != place {
          handle = handle ?? FileHandle(forReadingAtPath: path)
          last = handle.flatMap { chunk(at: place, of: $0) }.map { (place, $0) }
        }
        // What cannot be read any more is missing in the answer.
        let part =
          last?.chunk.dropFirst(start - place * EphemeralFileCipher.plain).prefix(range.count - bytes.count) ?? []
        guard !part.isEmpty else { return }
        bytes += part
      }
      if range.upperBound == count { last = nil }
    }
    return bytes
  }

  private func chunk(at place: Int, of handle: FileHandle) -> [UInt8]? {
    let last = (count - 1) / EphemeralFileCipher.plain
    guard (try? handle.seek(toOffset: UInt64(place * EphemeralFileCipher.sealed))) != nil,
      let sealed = try? handle.read(upToCount: EphemeralFileCipher.sealed)
    else { return nil }
    return keyring.open([UInt8](sealed)[...], at: place, isLast: place == last)
  }
}

/// Writes such a file.
struct ScanWorkWriter {
  private let path: String
  private let handle: FileHandle
  private let keyring: EphemeralFileCipher
  /// At most a chunk stays back: it may turn out to be the last.
  private var waiting: [UInt8] = []
  private var place = 0
  private var count = 0

  /// - Parameter path: of a file that is not there; its folder is.
  /// - Throws: ``StoreError`` with `unavailable`.
  init(_ path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
      throw StoreError(.unavailable, reason: "A file could not be made to work on.")
    }
    self.path = path
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    keyring = EphemeralFileCipher(random: DataDirectory.random)
  }

  /// - Throws: errors of the system when the disk is full.
  mutating func append(_ bytes: [UInt8]) throws {
    count += bytes.count
    waiting += bytes
    var sealed: [UInt8] = []
    var taken = 0
    while waiting.count - taken > EphemeralFileCipher.plain {
      sealed += keyring.seal(waiting[taken..<taken + EphemeralFileCipher.plain], at: place, isLast: false)
      taken += EphemeralFileCipher.plain
      place += 1
    }
    waiting.removeFirst(taken)
    if !sealed.isEmpty { try handle.write(contentsOf: sealed) }
  }

  /// The file, to be read; nothing more is appended.
  mutating func end() throws -> EncryptedScratchFile {
    try handle.write(contentsOf: keyring.seal(waiting[...], at: place, isLast: true))
    waiting = []
    try handle.close()
    return EncryptedScratchFile(path, count: count, keyring: keyring)
  }

  /// Leaves it as it is, when its writing has failed.
  func close() { try? handle.close() }
}
