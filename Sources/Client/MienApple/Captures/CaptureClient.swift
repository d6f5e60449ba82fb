public import Foundation
public import MienClient
internal import MienCore
public import MienAPI

/// What a phone asks of the server beside checks, messages and scans: devices, captures, and checks to try.
public struct CaptureClient: Sendable {
  private let server: URL
  private let key: String?
  private let transport: any Transport

  /// - Parameter key: an API key, where the server asks for one; it has no place in an app that strangers have.
  public init(server: URL, key: String? = nil, transport: any Transport = URLSessionTransport()) {
    self.server = server
    self.key = key
    self.transport = transport
  }

  /// Registers a device's key; the same key again changes nothing.
  ///
  /// - Parameter appAttest: the platform's word on the app; nil leaves what the server knows of it.
  /// - Throws: ``ClientError``, or what the key throws.
  @discardableResult
  public func register(_ key: some DeviceKey, appAttest: AppAttestRequest? = nil) async throws -> DeviceResponse {
    let point = try await key.publicKey()
    guard point.count == 64 else { throw ClientError(.unreadable, detail: "A key on P-256 has 64 bytes.") }
    let request = RegisterDeviceRequest(
      device: key.device,
      key: RegisterDeviceRequest.Key(
        x: Data(point.prefix(32)).base64URL, y: Data(point.suffix(32)).base64URL),
      appAttest: appAttest)
    let reply = try await send("/v1/devices", type: "application/json", body: Array(try JSONEncoder().encode(request)))
    return try Self.read(reply, as: DeviceResponse.self)
  }

  /// A challenge to have the app attested with, once.
  ///
  /// - Throws: ``ClientError``, with `attestation-off` where the server checks no attestations.
  public func challenge() async throws -> ChallengeResponse {
    try Self.read(
      try await send("/v1/devices/challenges", type: "application/json", body: []), as: ChallengeResponse.self)
  }

  /// Sends a capture.
  ///
  /// - Returns: its id.
  /// - Throws: ``ClientError``.
  public func send(
    _ letter: CaptureUploadForm, signature: [UInt8]?, assertion: [UInt8]? = nil,
    boundary: String = "mien-\(MonotonicClock.clientName())"
  ) async throws -> String {
    let reply = try await send(
      "/v1/captures", type: "multipart/form-data; boundary=\(boundary)",
      body: letter.form(signature: signature, assertion: assertion, boundary: boundary), patience: 120)
    struct Sent: Decodable { let id: String }
    return try Self.read(reply, as: Sent.self).id
  }

  /// A check to try, on servers that give them to everybody (`--demo`).
  ///
  /// - Throws: ``ClientError``.
  public func demonstration() async throws -> CheckSession {
    let reply = try await send("/v1/demo/checks", type: "application/json", body: Array("{}".utf8))
    let check = try Self.read(reply, as: CreateCheckResponse.self)
    return CheckSession(id: check.id, token: check.token)
  }

  private func send(
    _ path: String, type: String, body: [UInt8], patience: Double = 15
  ) async throws -> APIResponse {
    var headers = ["Accept": "application/json", "Content-Type": type]
    if let key { headers["Authorization"] = "Bearer \(key)" }
    var base = server.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    guard let url = URL(string: base + path) else {
      throw ClientError(.unreachable, detail: "The server's address is not a URL.")
    }
    return try await transport.send(
      APIRequest(method: "POST", url: url, headers: headers, body: body, patience: .seconds(patience)))
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
