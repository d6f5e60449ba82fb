public import Foundation
internal import MienCore
public import MienAPI

/// What an integrator's backend asks of the server. It holds an API key: it has no place in an app.
public struct BackendClient: Sendable {
  private let desk: APIClient
  private let key: String

  /// - Parameters:
  ///   - server: the server's address, with a path if a proxy put one before it.
  ///   - key: an API key, as `mien serve` prints it on first start or `mien keys add api` makes it.
  public init(server: URL, key: String, transport: any Transport = URLSessionTransport()) {
    desk = APIClient(server: server, transport: transport, secret: key)
    self.key = key
  }

  // MARK: - The `/v1` API

  /// Creates a check.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`; so do all of these.
  public func create(_ request: CreateCheckRequest = CreateCheckRequest()) async throws -> CreateCheckResponse {
    try await desk.ask("POST", "/v1/checks", body: request)
  }

  /// The check and, once it is decided, its verdict with findings and evidence.
  public func result(of id: String) async throws -> ResultResponse {
    try await desk.ask("GET", "/v1/checks/\(try Self.plain(id))")
  }

  /// A kept image of a decided check, as it was received: the face image is the first.
  public func image(_ index: Int, of id: String) async throws -> [UInt8] {
    guard let bytes = try await desk.fetch("/v1/checks/\(try Self.plain(id))/images/\(max(0, index))") else {
      throw ClientError(.unreadable, detail: "The server says that the image is being made.")
    }
    return bytes
  }

  /// The film of a check that was created with `clip`: an MP4 file, or nil while it is being made.
  public func clip(of id: String) async throws -> [UInt8]? {
    try await desk.fetch("/v1/checks/\(try Self.plain(id))/clip")
  }

  /// The token of a session that another dialect created, while it is open.
  public func token(of id: String) async throws -> CreateCheckResponse {
    try await desk.ask("GET", "/v1/checks/\(try Self.plain(id))/token")
  }

  /// Erases a check with all that belongs to it.
  public func delete(_ id: String) async throws {
    try await desk.tell("DELETE", "/v1/checks/\(try Self.plain(id))")
  }

  /// Erases all that belongs to a person.
  public func delete(person: String) async throws {
    try await desk.tell("DELETE", "/v1/people/\(try Self.plain(person))")
  }

  /// Whether the server can look at frames; a server that cannot answers with ``ClientError/Code/unreadable``.
  public func readiness() async throws -> ReadinessResponse {
    try await desk.ask("GET", "/health/ready")
  }

  // MARK: - The Youverify dialect

  /// `session/generate`: a session of the Youverify dialect.
  ///
  /// - Parameter metadata: becomes the check's `reference`; at most 128 characters of JSON.
  public func generateSession(publicMerchantID: String, metadata: [String: String] = [:]) async throws -> String {
    struct Body: Encodable {
      let publicMerchantID: String
      let metadata: [String: String]
    }
    let reply: YouverifySessionResponse = try await vendor(
      "session/generate", Body(publicMerchantID: publicMerchantID, metadata: metadata))
    return reply.data.sessionId
  }

  /// `liveness/token`: the token of such a session.
  public func generateToken(publicMerchantID: String, sessionID: String) async throws -> CheckSession {
    struct Body: Encodable {
      let publicMerchantID: String
      let deviceCorrelationId: String
    }
    let reply: YouverifyTokenResponse = try await vendor(
      "liveness/token", Body(publicMerchantID: publicMerchantID, deviceCorrelationId: sessionID))
    return CheckSession(id: sessionID, token: reply.data.authToken)
  }

  private func vendor<Reply: Decodable>(_ name: String, _ body: some Encodable) async throws -> Reply {
    try await desk.ask("POST", "/v2/api/identity/sdk/\(name)", body: body, headers: ["Token": key])
  }

  /// An id that is safe within a path.
  private static func plain(_ id: String) throws -> String {
    guard let id = CheckID(id) else {
      throw ClientError(.notFound, detail: "An id is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    return id.text
  }
}
