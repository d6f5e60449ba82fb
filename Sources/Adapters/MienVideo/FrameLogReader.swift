internal import Foundation
internal import MienCore
internal import MienPlatform
internal import MienSecurity

/// Reads a frame log sequentially, with one frame in memory at a time.
struct FrameLogReader {
  /// Cipher of the frames; `nil` if the file has no complete header, and therefore no frames.
  let frames: FrameCipher?
  /// File offset of the next record.
  private(set) var place: Int
  private let handle: FileHandle
  /// File size when it was opened.
  private let size: Int

  /// Opens a frame log.
  ///
  /// - Throws: ``VideoError`` if the frame log cannot be decrypted with this key for this check.
  init(_ handle: FileHandle, of check: CheckID, under keyring: FrameLogCipher) throws {
    self.handle = handle
    size = Int(clamping: try handle.seekToEnd())
    do {
      let head = try Self.bytes(of: handle, 0..<min(size, FrameLogCipher.head))
      frames = try keyring.frames(of: check, beginningWith: head)
    } catch let error as StoreError {
      throw VideoError(error.reason)
    }
    place = FrameLogCipher.head
  }

  /// Returns the next frame, or `nil` at the end or at a truncated last record.
  ///
  /// - Throws: ``VideoError`` if a complete record cannot be decrypted at its position, because a partial clip would be mistaken for a
  ///   complete one.
  mutating func next() throws -> EncodedFrame? {
    guard let frames, let count = try sizeOfNext() else { return nil }
    let record = try Self.bytes(of: handle, place..<place + count)
    guard let frame = frames.frame(of: record, at: place) else {
      throw VideoError(
        """
        A frame of a frame log cannot be decrypted: the file was modified or replaced, or the disk lost a part of \
        it. Its check has no clip. Only the server may write to the data folder; check the disk.
        """)
    }
    place += count
    return frame
  }

  /// Skips all complete frames, reading only their headers.
  mutating func skipAll() throws {
    while let count = try sizeOfNext() { place += count }
  }

  private func sizeOfNext() throws -> Int? {
    guard frames != nil else { return nil }
    let head = try Self.bytes(of: handle, place..<min(place + FrameCipher.head, size))
    guard let count = FrameCipher.size(head), count <= size - place else { return nil }
    return count
  }

  /// Returns a part of the file, truncated at its end.
  private static func bytes(of handle: FileHandle, _ range: Range<Int>) throws -> [UInt8] {
    try handle.seek(toOffset: UInt64(range.lowerBound))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    while bytes.count < range.count, let part = try handle.read(upToCount: range.count - bytes.count), !part.isEmpty {
      bytes += part
    }
    return bytes
  }
}
