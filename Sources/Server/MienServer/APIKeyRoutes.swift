internal import Hummingbird
internal import MienCore
internal import MienService
internal import MienAPI

/// Routes of API keys, for keys with the scope `admin`; each manages the keys of its own realm.
struct APIKeyRoutes<Observer: FaceTracking>: Sendable {
  /// Default time in seconds for which a key remains valid beside its successor.
  private static var usualOverlap: Int { 86_400 }
  private static var longest: Int { 10 * 31_536_000 }

  let spaces: Realms<Observer>
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    router.get("/v1/keys") { request, _ in
      let service = try await spaces.authorized(request).service
      return JSONResponse.json(
        KeysResponse(keys: try await service.apiKeys().map { KeyResponse($0, at: service.timeOfDay) }))
    }
    router.post("/v1/keys") { request, context in
      let service = try await spaces.authorized(request).service
      let body = try await RequestParsing.json(CreateKeyRequest.self, request, upTo: settings.maximumJSONBytes)
      let scopes = try body.scopes.map { try Set($0.map(Self.scope)) }
      let made = try await service.makeAPIKey(
        name: body.name, scopes: scopes, lifetime: Self.interval(body.expiresIn, "expires_in", from: 1),
        by: context.actor ?? "")
      return JSONResponse.json(KeyResponse(made.record, key: made.key, at: service.timeOfDay), status: .created)
    }
    router.post("/v1/keys/:key/rotation") { request, context in
      let service = try await spaces.authorized(request).service
      let body = try await RequestParsing.json(RotateKeyRequest.self, request, upTo: settings.maximumJSONBytes)
      let overlap = try Self.interval(body.overlap ?? Self.usualOverlap, "overlap", from: 0)
      let made = try await service.rotateAPIKey(
        context.parameters.get("key") ?? "", overlap: overlap ?? .zero, by: context.actor ?? "")
      return JSONResponse.json(KeyResponse(made.record, key: made.key, at: service.timeOfDay), status: .created)
    }
    router.delete("/v1/keys/:key") { request, context in
      try await spaces.authorized(request).service.revokeAPIKey(
        context.parameters.get("key") ?? "", by: context.actor ?? "")
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
  }

  private static func scope(_ name: String) throws -> APIKeyScope {
    guard let scope = APIKeyScope(rawValue: name) else {
      throw ServiceError(
        .badValue,
        "There is no scope of this name; there are \(APIKeyScope.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return scope
  }

  private static func interval(_ seconds: Int?, _ name: String, from least: Int) throws -> Interval? {
    guard let seconds else { return nil }
    guard (least...longest).contains(seconds) else {
      throw ServiceError(.badValue, "\"\(name)\" must be \(least) to \(longest) seconds.")
    }
    return .seconds(Double(seconds))
  }
}

extension KeyResponse {
  init(_ record: APIKeyRecord, key: String? = nil, at time: UnixTime) {
    func text(_ time: UnixTime?) -> String? { time.map { JSONResponse.rfc3339(milliseconds: $0.milliseconds) } }
    self.init(
      id: record.id, key: key, name: record.name, scopes: record.scopes.map { $0.map(\.rawValue).sorted() },
      state: record.revoked != nil ? "revoked" : record.isGood(at: time) ? "good" : "expired",
      createdAt: JSONResponse.rfc3339(milliseconds: record.created.milliseconds), expiresAt: text(record.expires),
      revokedAt: text(record.revoked), lastUsedAt: text(record.lastUsed))
  }
}
