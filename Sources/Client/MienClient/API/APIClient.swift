internal import Foundation
internal import MienCore
internal import MienAPI

/// Builds requests for one server and decodes its responses and problem documents.
struct APIClient: Sendable {
  let server: URL
  let transport: any Transport
  private let credential: Credential

  /// Credential of the requests: one for good, or the current one of an app.
  private enum Credential {
    case fixed(APICredential?)
    case shared(APICredentials)

    func headers(for server: URL) async -> [String: String] {
      switch self {
      case .fixed(let credential): credential?.headers(for: server) ?? [:]
      case .shared(let credentials): await credentials.headers(for: server)
      }
    }
  }

  init(server: URL, transport: any Transport, credentials: APICredentials) {
    self.server = server
    self.transport = transport
    credential = .shared(credentials)
  }

  /// - Parameter secret: API key, or the token of a check.
  init(server: URL, transport: any Transport, secret: String?) {
    self.server = server
    self.transport = transport
    credential = .fixed(secret.map(APICredential.bearer))
  }

  /// Sends `body` as JSON, or no body if it is `nil`, and decodes the response.
  func ask<Reply: Decodable>(
    _ method: String, _ path: String, body: (some Encodable)? = EmptyBody?.none, headers: [String: String] = [:],
    as: Reply.Type = Reply.self
  ) async throws -> Reply {
    var headers = headers
    var bytes: [UInt8]?
    if let body {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      bytes = Array(try encoder.encode(body))
      headers["Content-Type"] = "application/json"
    }
    return try Self.read(try await send(method, path, headers: headers, body: bytes))
  }

  /// Sends raw bytes with a `POST` request and decodes the response.
  func post<Reply: Decodable>(
    _ path: String, bytes: [UInt8], type: String, headers: [String: String], as: Reply.Type = Reply.self
  ) async throws -> Reply {
    var headers = headers
    headers["Content-Type"] = type
    return try Self.read(try await send("POST", path, headers: headers, body: bytes))
  }

  /// Sends a frame and decodes the response, with the number of frames that the server accepts at the same time.
  func post<Reply: Decodable>(
    frame bytes: [UInt8], to path: String, type: String, headers: [String: String]
  ) async throws -> FramePipeline<Reply>.Answer {
    var headers = headers
    headers["Content-Type"] = type
    let reply = try await send("POST", path, headers: headers, body: bytes)
    return .init(reply: try Self.read(reply), window: reply.headers["mien-frame-window"].flatMap { Int($0) })
  }

  /// Sends a request, with `body` as JSON unless it is `nil`, whose response body is ignored.
  func tell(_ method: String, _ path: String, body: (some Encodable)? = EmptyBody?.none) async throws {
    var headers: [String: String] = [:]
    var bytes: [UInt8]?
    if let body {
      bytes = Array(try JSONEncoder().encode(body))
      headers["Content-Type"] = "application/json"
    }
    let reply = try await send(method, path, headers: headers, body: bytes)
    guard (200..<300).contains(reply.status) else { throw Self.problem(reply) }
  }

  /// Downloads bytes. Returns `nil` if the server responds with status 202 because they are not ready yet.
  func fetch(_ path: String) async throws -> [UInt8]? {
    let reply = try await send("GET", path, headers: ["Accept": "*/*"], body: nil)
    guard (200..<300).contains(reply.status) else { throw Self.problem(reply) }
    return reply.status == 202 ? nil : reply.body
  }

  /// Sends one request to the server and returns the complete response, whatever its status.
  func send(
    _ method: String, _ path: String, headers: [String: String], body: [UInt8]?, timeout: Interval = .seconds(15)
  ) async throws -> APIResponse {
    var base = server.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    guard let url = URL(string: base + path) else {
      throw ClientError(.unreachable, detail: "The server's address is not a URL.")
    }
    var headers = headers
    if headers["Accept"] == nil { headers["Accept"] = "application/json" }
    if headers["Token"] == nil { headers.merge(await credential.headers(for: server)) { own, _ in own } }
    return try await transport.send(
      APIRequest(method: method, url: url, headers: headers, body: body, timeout: timeout))
  }

  /// Decodes the value in a response.
  static func read<Reply: Decodable>(_ reply: APIResponse) throws -> Reply {
    guard (200..<300).contains(reply.status) else { throw problem(reply) }
    do {
      return try JSONDecoder().decode(Reply.self, from: Data(reply.body))
    } catch is DecodingError {
      throw ClientError.unreadable(status: reply.status)
    }
  }

  /// Returns the error that a response describes.
  static func problem(_ reply: APIResponse) -> ClientError {
    // Whole seconds only: the server sends no dates. A day is longer than the lifetime of any check.
    let seconds = reply.headers["retry-after"].flatMap { Int($0) }.map { min(max($0, 1), 86_400) }
    do {
      let problem = try JSONDecoder().decode(ProblemResponse.self, from: Data(reply.body))
      return ClientError(
        ClientError.Code(text: problem.code), status: reply.status, detail: problem.detail,
        retryAfter: seconds.map { .seconds(Double($0)) }, step: problem.step)
    } catch {
      return ClientError.unreadable(status: reply.status)
    }
  }
}

/// Absent request body.
struct EmptyBody: Encodable {}
