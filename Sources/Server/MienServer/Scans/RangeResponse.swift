internal import MienCore
internal import HTTPTypes
internal import Hummingbird
internal import MienPlatform
internal import NIOCore

/// Response with a stored file of any size, complete or in part (RFC 9110, section 14).
enum RangeResponse {
  private static let piece = 256 << 10

  /// - Parameter read: returns a range of the file; each chunk is read after the previous one was sent. The first is
  ///   read before the response starts, so that an inaccessible file results in an error response instead of a truncated
  ///   body.
  static func response(
    to request: Request, bytes size: Int, type: String, digest: ContentDigest?,
    read: @escaping @Sendable (Range<Int>) async throws -> [UInt8]
  ) async throws -> Response {
    var headers: HTTPFields = [
      .contentType: type, .cacheControl: "no-store", .contentDisposition: "inline", .acceptRanges: "bytes",
    ]
    if let digest { headers[.eTag] = "\"\(digest)\"" }
    guard let wanted = request.headers[.range], isFresh(request, headers[.eTag]) else {
      return Response(status: .ok, headers: headers, body: try await body(0..<size, read))
    }
    switch range(wanted, size) {
    case .whole: return Response(status: .ok, headers: headers, body: try await body(0..<size, read))
    case .none:
      headers[.contentRange] = "bytes */\(size)"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
      return Response(status: .partialContent, headers: headers, body: try await body(range, read))
    }
  }

  /// Returns `true` if `If-Range` is absent or matches the current file.
  private static func isFresh(_ request: Request, _ tag: String?) -> Bool {
    guard let condition = request.headers[.ifRange] else { return true }
    return condition == tag
  }

  private enum Wanted {
    case whole, none
    case part(Range<Int>)
  }

  /// Parses a single byte range; multiple ranges and other units select the whole file.
  private static func range(_ text: String, _ size: Int) -> Wanted {
    guard text.hasPrefix("bytes="), !text.contains(",") else { return .whole }
    let ends = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }) else { return .whole }
    switch (Int(ends[0]), Int(ends[1])) {
    case (nil, let last?) where ends[0].isEmpty: return last > 0 && size > 0 ? .part(max(0, size - last)..<size) : .none
    case (let first?, nil): return ends[1].isEmpty ? (first < size ? .part(first..<size) : .none) : .whole
    case (let first?, let last?) where first <= last:
      return first < size ? .part(first..<min(last, size - 1) + 1) : .none
    default: return .whole
    }
  }

  private static func body(
    _ range: Range<Int>, _ read: @escaping @Sendable (Range<Int>) async throws -> [UInt8]
  ) async throws -> ResponseBody {
    let first = range.isEmpty ? [] : try await read(range.prefix(piece))
    return ResponseBody(contentLength: range.count) { writer in
      try await writer.write(ByteBuffer(bytes: first))
      var place = range.lowerBound + first.count
      while place < range.upperBound {
        let bytes = try await read(place..<min(place + piece, range.upperBound))
        guard !bytes.isEmpty else { throw ServiceError(.unavailable, "A file ended unexpectedly.") }
        place += bytes.count
        try await writer.write(ByteBuffer(bytes: bytes))
      }
      try await writer.finish(nil)
    }
  }
}
