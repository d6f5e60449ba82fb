internal import Foundation
internal import MienCore
internal import MienService

/// Goes through the file of a reel, frame by frame, with one of them in memory.
struct FrameLogReader {
  let records: FrameLogRecord
  /// Where the next record begins, or would, in bytes of the file.
  private(set) var place: Int
  private let handle: FileHandle
  /// How long the file was when it was opened.
  private let size: Int

  /// - Throws: ``VideoError`` when the reel does not open under this seal as this check's.
  init(_ handle: FileHandle, of check: CheckID, under keyring: FrameLogCipher) throws {
    self.handle = handle
    size = Int(clamping: try handle.seekToEnd())
    do {
      let head = try Self.bytes(of: handle, 0..<min(size, FrameLogCipher.head))
      // Of a head that was cut off no open record can be read: the twelve bytes say that one of 12,627 bytes follows.
      records = try keyring.frames(of: check, beginningWith: head).map(FrameLogRecord.sealed) ?? .open
    } catch let error as StoreError {
      throw VideoError(error.reason)
    }
    place = records.start
  }

  /// The next frame; nil at the end, or where the writing of the last one was cut off.
  ///
  /// - Throws: ``VideoError`` when a frame is whole and does not open in its place: half a film would be taken for the whole.
  mutating func next() throws -> EncodedFrame? {
    guard let count = try sizeOfNext() else { return nil }
    let record = try Self.bytes(of: handle, place..<place + count)
    guard let frame = records.frame(of: record, at: place) else {
      throw VideoError(
        """
        A frame on a reel does not open: somebody changed, moved or exchanged what is written there, or the disk lost a part of \
        it. Its check has no film. Let nobody else write to the data folder, and look after the disk.
        """)
    }
    place += count
    return frame
  }

  /// Passes by all frames that are whole, and reads no more of them than their heads.
  mutating func skipAll() throws {
    while let count = try sizeOfNext() { place += count }
  }

  private func sizeOfNext() throws -> Int? {
    let head = try Self.bytes(of: handle, place..<min(place + FrameLogRecord.head, size))
    guard let count = records.size(head), count <= size - place else { return nil }
    return count
  }

  /// A part of the file, cut where it ends.
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
