internal import HTTPTypes
internal import Hummingbird
internal import MienScanFormat
internal import MienPlatform
internal import NIOCore

/// Streamed ZIP archive (PKWARE APPNOTE 6.3): stored files with data descriptors after them.
struct ZIPStreamResponse: Sendable {
  /// A file of the archive.
  struct Entry: Sendable {
    let name: String
    let size: Int
    /// Opens the file once its turn comes; the result reads a range.
    let open: @Sendable () async throws -> @Sendable (Range<Int>) async throws -> [UInt8]
  }

  private static let piece = 256 << 10
  private let entries: [Entry]

  /// - Throws: ``ServiceError`` with `bodyTooLarge` if the archive would require ZIP64.
  init(_ entries: [Entry]) throws {
    let total = entries.reduce(0) { $0 + $1.size + 2 * $1.name.utf8.count + 128 }
    guard total < 0xFFFF_0000, entries.count < 0xFFFF else {
      throw ServiceError(.bodyTooLarge, "The archive would have more than 4 GB; take the files one by one.")
    }
    self.entries = entries
  }

  func response(named name: String) -> Response {
    let entries = entries
    let body = ResponseBody { writer in
      var (directory, place) = (ByteBuffer(), 0)
      for entry in entries {
        let start = place
        var head = ByteBuffer()
        head.writeInteger(0x0403_4B50 as UInt32, endianness: .little)
        Self.put(entry, checksum: 0, size: 0, into: &head)
        head.writeString(entry.name)
        place += head.readableBytes
        try await writer.write(head)
        let read = try await entry.open()
        var (sum, done) = (CRC32(), 0)
        while done < entry.size {
          let bytes = try await read(done..<min(done + Self.piece, entry.size))
          guard !bytes.isEmpty else { throw ServiceError(.unavailable, "A file ends before its time.") }
          sum.add(bytes[...])
          done += bytes.count
          try await writer.write(ByteBuffer(bytes: bytes))
        }
        var tail = ByteBuffer()
        tail.writeInteger(0x0807_4B50 as UInt32, endianness: .little)
        for value in [sum.value, UInt32(done), UInt32(done)] { tail.writeInteger(value, endianness: .little) }
        try await writer.write(tail)
        place += done + tail.readableBytes
        directory.writeInteger(0x0201_4B50 as UInt32, endianness: .little)
        directory.writeInteger(20 as UInt16, endianness: .little)
        Self.put(entry, checksum: sum.value, size: UInt32(done), into: &directory)
        // No comment, first disk, no attributes, then the offset of the file.
        for _ in 0..<3 { directory.writeInteger(0 as UInt16, endianness: .little) }
        for value in [0, UInt32(start)] { directory.writeInteger(value, endianness: .little) }
        directory.writeString(entry.name)
      }
      let length = UInt32(directory.readableBytes)
      directory.writeInteger(0x0605_4B50 as UInt32, endianness: .little)
      directory.writeInteger(0 as UInt32, endianness: .little)
      for _ in 0..<2 { directory.writeInteger(UInt16(entries.count), endianness: .little) }
      for value in [length, UInt32(place)] { directory.writeInteger(value, endianness: .little) }
      directory.writeInteger(0 as UInt16, endianness: .little)
      try await writer.write(directory)
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/zip", .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"\(name).zip\"",
      ], body: body)
  }

  /// Writes the fields common to the local header and the directory entry of a file.
  private static func put(_ entry: Entry, checksum: UInt32, size: UInt32, into buffer: inout ByteBuffer) {
    // Version 2.0; flags: data descriptor, UTF-8 names; method: stored; date: January 1, 1980.
    for value in [20, 0x0808, 0, 0, 0x21] as [UInt16] { buffer.writeInteger(value, endianness: .little) }
    for value in [checksum, size, size] { buffer.writeInteger(value, endianness: .little) }
    for value in [UInt16(entry.name.utf8.count), 0] { buffer.writeInteger(value, endianness: .little) }
  }
}
