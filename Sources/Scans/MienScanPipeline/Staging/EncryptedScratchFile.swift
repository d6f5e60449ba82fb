internal import Foundation
internal import MienDepth
internal import MienService
internal import Synchronization

/// Temporary file of a scan that is being processed: encrypted on disk and decrypted chunk by chunk as it is read.
///
/// A scan may have thousands of files: none stays open, and a file that was read to its end leaves nothing in memory.
final class EncryptedScratchFile: ByteSource {
  let count: Int
  private let path: String
  private let keyring: EphemeralFileCipher
  /// Most recently decrypted chunk: most reads continue where the previous one ended.
  private let last = Mutex<(place: Int, chunk: [UInt8])?>(nil)

  /// - Parameters:
  ///   - path: path of the encrypted file.
  ///   - count: length of its plaintext in bytes.
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
        // Returns fewer bytes than requested if the file can no longer be read.
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

/// Writes an ``EncryptedScratchFile``.
struct EncryptedScratchFileWriter {
  private let path: String
  private let handle: FileHandle
  private let keyring: EphemeralFileCipher
  /// Plaintext not yet written, at most one chunk: it may turn out to be the last.
  private var waiting: [UInt8] = []
  private var place = 0
  private var count = 0

  /// - Parameters:
  ///   - path: path of a file that does not exist yet, in an existing folder.
  ///   - random: source of the file's key.
  /// - Throws: ``StoreError`` with `unavailable`.
  init(_ path: String, random: @escaping @Sendable (Int) -> [UInt8]) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
      throw StoreError(.unavailable, reason: "A file could not be made to work on.")
    }
    self.path = path
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    keyring = EphemeralFileCipher(random: random)
  }

  /// - Throws: a system error if the disk is full.
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

  /// Writes the last chunk and returns the file for reading; nothing more can be appended.
  mutating func end() throws -> EncryptedScratchFile {
    try handle.write(contentsOf: keyring.seal(waiting[...], at: place, isLast: true))
    waiting = []
    try handle.close()
    return EncryptedScratchFile(path, count: count, keyring: keyring)
  }

  /// Closes the unfinished file after a failed write.
  func close() { try? handle.close() }
}
