internal import HTTPTypes
internal import Hummingbird
internal import MienArchive
internal import MienPlatform
internal import NIOCore

/// Streamed ZIP archive: stored files with data descriptors after them.
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
    guard total < 0xFFFF_0000, entries.count <= ZIPWriter.mostFiles else {
      throw ServiceError(.bodyTooLarge, "The archive would have more than 4 GB; download the files individually.")
    }
    self.entries = entries
  }

  func response(named name: String) -> Response {
    let entries = entries
    let body = ResponseBody { writer in
      var archive = ZIPWriter()
      for entry in entries {
        try await writer.write(ByteBuffer(bytes: archive.begin(entry.name)))
        let read = try await entry.open()
        var (sum, done) = (CRC32(), 0)
        while done < entry.size {
          let bytes = try await read(done..<min(done + Self.piece, entry.size))
          guard !bytes.isEmpty else { throw ServiceError(.unavailable, "A file ended unexpectedly.") }
          sum.add(bytes[...])
          done += bytes.count
          try await writer.write(ByteBuffer(bytes: bytes))
        }
        try await writer.write(ByteBuffer(bytes: archive.end(checksum: sum.value, size: done)))
      }
      try await writer.write(ByteBuffer(bytes: archive.finish()))
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/zip", .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"\(name).zip\"",
      ], body: body)
  }
}
