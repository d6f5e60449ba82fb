internal import Hummingbird
internal import MienMultipart
internal import MienService
internal import NIOCore

/// What takes the parts of a form as they come.
protocol MultipartHandler {
  mutating func begin(_ part: PartHeader) async throws
  /// `bytes` is not longer than a chunk of the network.
  mutating func take(_ bytes: ByteBufferView) async throws
  mutating func end() async throws
}

/// Reads a request's form chunk by chunk. The next chunk is asked for when the last one has been taken, so that a slow disk
/// slows the sender and fills no memory.
enum MultipartStream {
  /// - Parameter parts: how many parts there may be.
  /// - Throws: ``ServiceError`` with `badForm` or `unsupportedMediaType` for what is no form; what `taker` throws.
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

/// Hands a file's bytes on in pieces that are worth a call of the system.
struct BufferedBlobWriter {
  let file: CaptureDraft.PendingBlob
  private(set) var size = 0
  /// The first bytes, at most ``headBytes``.
  private(set) var head: [UInt8] = []
  private let headBytes: Int
  private var buffer: [UInt8] = []
  private static let pieceBytes = 64 << 10

  init(_ file: CaptureDraft.PendingBlob, headBytes: Int = 8) {
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

  /// The media type of a picture that the server reads; nil for everything else.
  var imageType: String? {
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    return head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) ? "image/png" : nil
  }

  /// The media type of a film that the server reads; nil for everything else.
  var filmType: String? {
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/webm" }
    return head.dropFirst(4).starts(with: "ftyp".utf8) ? "video/mp4" : nil
  }
}
