public import Foundation
public import MienClient
internal import MienCore
public import MienAPI

/// Client for devices, captures and demo checks.
public struct CaptureClient: Sendable {
  private let server: URL
  private let credentials: APICredentials
  private let transport: any Transport

  /// - Parameters:
  ///   - server: the server's address.
  ///   - key: an API key, if the server requires one; it must not be shipped in a public app.
  ///   - transport: sends the requests.
  public init(server: URL, key: String? = nil, transport: any Transport = URLSessionTransport()) {
    self.init(
      server: server, credentials: APICredentials(key.map(APICredential.bearer)), transport: transport)
  }

  /// - Parameters:
  ///   - server: the server's address.
  ///   - credentials: of the signed-in user, if the server requires one.
  ///   - transport: sends the requests.
  public init(server: URL, credentials: APICredentials, transport: any Transport = URLSessionTransport()) {
    self.server = server
    self.credentials = credentials
    self.transport = transport
  }

  /// Registers a device's key. Repeating it with the same key has no effect.
  ///
  /// - Parameters:
  ///   - key: the key of this device.
  ///   - appAttest: the platform's attestation of the app; `nil` leaves the one on the server unchanged.
  /// - Throws: `ClientError`, or the key's errors.
  @discardableResult
  public func register(_ key: some DeviceKey, appAttest: AppAttestRequest? = nil) async throws -> DeviceResponse {
    let point = try await key.publicKey()
    guard point.count == 64 else { throw ClientError(.unreadable, detail: "A key on P-256 has 64 bytes.") }
    let request = RegisterDeviceRequest(
      device: key.device,
      key: RegisterDeviceRequest.Key(
        x: Base64URL.encode(Array(point.prefix(32))), y: Base64URL.encode(Array(point.suffix(32)))),
      appAttest: appAttest)
    let reply = try await send("/v1/devices", type: "application/json", body: Array(try JSONEncoder().encode(request)))
    return try Self.read(reply, as: DeviceResponse.self)
  }

  /// Requests a single-use challenge for the attestation of the app.
  ///
  /// - Throws: `ClientError`, with `attestation-disabled` if the server does not verify attestations.
  public func challenge() async throws -> ChallengeResponse {
    try Self.read(
      try await send("/v1/devices/challenges", type: "application/json", body: []), as: ChallengeResponse.self)
  }

  /// Sends a capture.
  ///
  /// - Returns: the capture's ID.
  /// - Throws: `ClientError`.
  public func send(
    _ form: CaptureUploadForm, signature: [UInt8]?, assertion: [UInt8]? = nil,
    boundary: String = "mien-\(MonotonicClock.clientName())"
  ) async throws -> String {
    let reply = try await send(
      "/v1/captures", type: "multipart/form-data; boundary=\(boundary)",
      body: form.form(signature: signature, assertion: assertion, boundary: boundary), timeout: 120)
    struct Sent: Decodable { let id: String }
    return try Self.read(reply, as: Sent.self).id
  }

  /// Creates a demo check, on servers that provide them without authentication (`--demo`).
  ///
  /// - Throws: `ClientError`.
  public func demonstration() async throws -> CheckSession {
    let reply = try await send("/v1/demo/checks", type: "application/json", body: Array("{}".utf8))
    let check = try Self.read(reply, as: CreateCheckResponse.self)
    return CheckSession(id: check.id, token: check.token)
  }

  private func send(
    _ path: String, type: String, body: [UInt8], timeout: Double = 15
  ) async throws -> APIResponse {
    var headers = ["Accept": "application/json", "Content-Type": type]
    headers.merge(await credentials.headers(for: server)) { own, _ in own }
    var base = server.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    guard let url = URL(string: base + path) else {
      throw ClientError(.unreachable, detail: "The server's address is not a URL.")
    }
    return try await transport.send(
      APIRequest(method: "POST", url: url, headers: headers, body: body, timeout: .seconds(timeout)))
  }

  private static func read<Reply: Decodable>(_ reply: APIResponse, as: Reply.Type) throws -> Reply {
    let body = Data(reply.body)
    if (200..<300).contains(reply.status), let value = try? JSONDecoder().decode(Reply.self, from: body) {
      return value
    }
    guard let problem = try? JSONDecoder().decode(ProblemResponse.self, from: body) else {
      throw ClientError(.unreadable, status: reply.status, detail: "The answer is not one of this API.")
    }
    throw ClientError(ClientError.Code(text: problem.code), status: reply.status, detail: problem.detail)
  }
}
