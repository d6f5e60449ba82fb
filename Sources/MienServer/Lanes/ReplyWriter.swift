internal import HTTPTypes
internal import MienService
internal import NIOCore

/// Writes whole replies with the headers that the chain of middleware puts on every one.
struct ReplyWriter: Sendable {
  enum Kind { case json, problem }

  private let json: HTTPFields
  private let problem: HTTPFields
  private let clock = HTTPClock()

  init(headers: SecurityHeaders<ServerContext>) {
    func fields(_ type: String) -> HTTPFields {
      var fields = headers.own
      fields.append(HTTPField(name: .contentType, value: type))
      fields.append(HTTPField(name: .cacheControl, value: "no-store"))
      return fields
    }
    json = fields("application/json")
    problem = fields(Problems.mediaType)
  }

  /// - Parameters:
  ///   - more: headers of this reply's own.
  ///   - id: the request's.
  func reply(
    _ status: HTTPResponse.Status, _ body: ByteBuffer, _ kind: Kind = .json, more: [HTTPField] = [], id: String,
    at time: UnixTime
  ) -> RepliesAtOnce.Reply {
    var fields = kind == .json ? json : problem
    for field in more { fields.append(field) }
    fields.append(HTTPField(name: .contentLength, value: "\(body.readableBytes)"))
    fields.append(HTTPField(name: .date, value: clock.text(time)))
    fields.append(HTTPField(name: .requestID, value: id))
    return (HTTPResponse(status: status, headerFields: fields), body)
  }
}
