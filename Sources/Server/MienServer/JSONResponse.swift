internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// Builds JSON responses.
enum JSONResponse {
  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok, type: String = "application/json")
    -> Response
  {
    bytes(encoded(value), status: status, type: type)
  }

  /// Encodes a value as a JSON response body.
  static func encoded(_ value: some Encodable) -> ByteBuffer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("every reply is plain values and finite numbers")
    }
    return ByteBuffer(bytes: data)
  }

  static func bytes(_ bytes: ByteBuffer, status: HTTPResponse.Status = .ok, type: String = "application/json")
    -> Response
  {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: "no-store"], body: ResponseBody(byteBuffer: bytes))
  }

  static func text(_ text: String, type: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  static func bytes(_ bytes: [UInt8], type: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  static var noContent: Response { Response(status: .noContent, headers: [.cacheControl: "no-store"]) }

  /// Formats a time as RFC 3339 in UTC with milliseconds.
  static func rfc3339(milliseconds: Int64) -> String { ISO8601.rfc3339(milliseconds: milliseconds) }
}
