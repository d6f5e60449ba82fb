internal import Hummingbird
internal import MienMultipart
internal import MienPlatform
internal import NIOCore

/// Handler for the parts of a form during parsing.
protocol MultipartHandler {
  mutating func begin(_ part: PartHeader) async throws
  /// Handles content of the current part; `bytes` is at most one network chunk.
  mutating func take(_ bytes: ByteBufferView) async throws
  mutating func end() async throws
}

/// Parses the form in a request chunk by chunk. The next chunk is requested once the previous one was handled, so that
/// a slow disk applies backpressure to the sender instead of filling memory.
enum MultipartStream {
  /// - Parameter parts: maximum number of parts.
  /// - Throws: ``ServiceError`` with `badForm` or `unsupportedMediaType` for an invalid form, and any error thrown by
  ///   `taker`.
  static func read(_ request: Request, into taker: inout some MultipartHandler, parts: Int = 16) async throws {
    guard RequestParsing.mediaType(request) == "multipart/form-data" else {
      throw ServiceError(.unsupportedMediaType, "Send the parts as multipart/form-data.")
    }
    do {
      let boundary = try MultipartBoundary(contentType: request.headers[.contentType] ?? "")
      var machine = MultipartParser(boundary: boundary, limits: MultipartLimits(parts: parts))
      for try await chunk in request.body {
        let bytes = chunk.readableBytesView
        var place = 0
        while let event = try next(&machine, chunk, &place) {
          switch event {
          case .part(let header): try await taker.begin(header)
          case .content(let range):
            let start = bytes.startIndex
            try await taker.take(bytes[start + range.lowerBound..<start + range.upperBound])
          case .held(let held): try await taker.take(ByteBuffer(bytes: held).readableBytesView)
          case .endOfPart: try await taker.end()
          }
        }
      }
      try machine.finish()
    } catch let error as MultipartError {
      throw ServiceError(.badForm, "The form cannot be read, \(error).")
    }
  }

  private static func next(
    _ machine: inout MultipartParser, _ chunk: ByteBuffer, _ place: inout Int
  ) throws(MultipartError) -> MultipartParser.Event? {
    try machine.next(in: chunk.readableBytesUInt8Span, at: &place)
  }
}

/// Buffers a file's bytes and writes them in chunks that are large enough for a system call.
struct BufferedBlobWriter {
  let file: PendingBlob
  private(set) var size = 0
  /// First bytes of the file, at most ``headBytes``.
  private(set) var head: [UInt8] = []
  private let headBytes: Int
  private var buffer: [UInt8] = []
  private static let pieceBytes = 64 << 10

  init(_ file: PendingBlob, headBytes: Int = 16) {
    self.file = file
    self.headBytes = headBytes
  }

  mutating func take(_ bytes: ByteBufferView) async throws {
    size += bytes.count
    if head.count < headBytes { head += bytes.prefix(headBytes - head.count) }
    buffer += bytes
    if buffer.count >= Self.pieceBytes { try await flush() }
  }

  mutating func flush() async throws {
    guard !buffer.isEmpty else { return }
    try await file.writer.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Media type of a supported image format; `nil` for everything else.
  var imageType: String? {
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    return head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) ? "image/png" : nil
  }

  /// Media type of a supported video format; `nil` for everything else.
  var clipType: String? {
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/webm" }
    guard head.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
    // A HEIC or AVIF begins like a video.
    return ["heic", "heix", "mif1", "avif"].contains(String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self))
      ? nil : "video/mp4"
  }
}
