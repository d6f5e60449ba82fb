public import Foundation
internal import MienCore
public import MienAPI

/// Client for an integrator's backend. It holds an API key, so it must not be used in an app.
public struct BackendClient: Sendable {
  private let api: APIClient
  private let key: String

  /// - Parameters:
  ///   - server: the server's address, with the path that a proxy adds in front, if any.
  ///   - key: an API key, as printed by `mien serve` on first start or created by `mien keys add api`.
  ///   - transport: sends the requests.
  public init(server: URL, key: String, transport: any Transport = URLSessionTransport()) {
    api = APIClient(server: server, transport: transport, secret: key)
    self.key = key
  }

  // MARK: - The `/v1` API

  /// Creates a check.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`, like all methods of this client.
  public func create(_ request: CreateCheckRequest = CreateCheckRequest()) async throws -> CreateCheckResponse {
    try await api.ask("POST", "/v1/checks", body: request)
  }

  /// Returns the check and, once it is decided, its verdict with findings and evidence.
  public func result(of id: String) async throws -> ResultResponse {
    try await api.ask("GET", "/v1/checks/\(try Self.plain(id))")
  }

  /// Downloads a stored image of a decided check as it was received. Index 0 is the face image.
  public func image(_ index: Int, of id: String) async throws -> [UInt8] {
    guard let bytes = try await api.fetch("/v1/checks/\(try Self.plain(id))/images/\(max(0, index))") else {
      throw ClientError(.unreadable, detail: "The server says that the image is being made.")
    }
    return bytes
  }

  /// Downloads the MP4 clip of a check that was created with `clip`. Returns `nil` while it is being encoded.
  public func clip(of id: String) async throws -> [UInt8]? {
    try await api.fetch("/v1/checks/\(try Self.plain(id))/clip")
  }

  /// Returns the token of an open session that was created through a compatible API.
  public func token(of id: String) async throws -> CreateCheckResponse {
    try await api.ask("GET", "/v1/checks/\(try Self.plain(id))/token")
  }

  /// Deletes a check and all data that belongs to it.
  public func delete(_ id: String) async throws {
    try await api.tell("DELETE", "/v1/checks/\(try Self.plain(id))")
  }

  /// Deletes all data that belongs to a person.
  public func delete(person: String) async throws {
    try await api.tell("DELETE", "/v1/people/\(try Self.plain(person))")
  }

  /// Enrolls a person for face match from a check that passed and was created with `template: "enroll"`. Repeating it
  /// changes nothing.
  public func enroll(person: String, from check: String) async throws -> TemplateResponse {
    try await api.ask(
      "POST", "/v1/people/\(try Self.plain(person))/template", body: EnrollTemplateRequest(check: check))
  }

  /// Returns the model version and the origin of a person's template; the template itself never leaves the server.
  public func template(of person: String) async throws -> TemplateResponse {
    try await api.ask("GET", "/v1/people/\(try Self.plain(person))/template")
  }

  /// Deletes the template of a person, and those kept of the person's checks.
  public func deleteTemplate(of person: String) async throws {
    try await api.tell("DELETE", "/v1/people/\(try Self.plain(person))/template")
  }

  /// Returns the server's readiness. A server that cannot process frames causes ``ClientError/Code/unreadable``.
  public func readiness() async throws -> ReadinessResponse {
    try await api.ask("GET", "/health/ready")
  }

  // MARK: - Youverify-compatible API

  /// Creates a session through the Youverify-compatible API (`session/generate`).
  ///
  /// - Parameters:
  ///   - publicMerchantID: required by the vendor's API and not evaluated.
  ///   - metadata: becomes the check's `reference`; at most 128 characters of JSON.
  public func generateSession(publicMerchantID: String, metadata: [String: String] = [:]) async throws -> String {
    struct Body: Encodable {
      let publicMerchantID: String
      let metadata: [String: String]
    }
    let reply: YouverifySessionResponse = try await vendor(
      "session/generate", Body(publicMerchantID: publicMerchantID, metadata: metadata))
    return reply.data.sessionId
  }

  /// Creates the token of a session of the Youverify-compatible API (`liveness/token`).
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
    try await api.ask("POST", "/v2/api/identity/sdk/\(name)", body: body, headers: ["Token": key])
  }

  /// Returns the ID if it is safe as a path component.
  private static func plain(_ id: String) throws -> String {
    guard let id = CheckID(id) else {
      throw ClientError(.notFound, detail: "An id is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    return id.text
  }
}
