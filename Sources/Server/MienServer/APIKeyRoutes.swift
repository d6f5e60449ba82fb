internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienAPI

/// Routes of API keys, for keys with the scope `admin`; each manages the keys of its own realm.
struct APIKeyRoutes: Sendable {
  /// Default time in seconds for which a key remains valid beside its successor.
  private static var usualOverlap: Int { 86_400 }
  private static var longest: Int { 10 * 31_536_000 }

  let realms: Realms
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    let body = settings.maximumJSONBytes
    routes.get("/v1/keys", RoutePolicy(.key, .admin)) { call in
      let keys = realms[call.realm].access.keys
      return JSONResponse.json(
        KeysResponse(keys: try await keys.list().map { KeyResponse($0, at: realms.clock.timeOfDay()) }))
    }
    routes.post("/v1/keys", RoutePolicy(.key, .admin, body: body)) { call in
      let keys = realms[call.realm].access.keys
      let body = try await call.json(CreateKeyRequest.self)
      let scopes = try body.scopes.map { try Set($0.map(Self.scope)) }
      let made = try await keys.make(
        name: body.name, scopes: scopes, lifetime: Self.interval(body.expiresIn, "expires_in", from: 1),
        by: call.context.actor ?? "")
      return JSONResponse.json(KeyResponse(made.record, key: made.key, at: realms.clock.timeOfDay()), status: .created)
    }
    routes.post("/v1/keys/:key/rotation", RoutePolicy(.key, .admin, body: body)) { call in
      let keys = realms[call.realm].access.keys
      let body = try await call.json(RotateKeyRequest.self)
      let overlap = try Self.interval(body.overlap ?? Self.usualOverlap, "overlap", from: 0)
      let made = try await keys.rotate(
        call.parameter("key"), overlap: overlap ?? .zero, by: call.context.actor ?? "")
      return JSONResponse.json(KeyResponse(made.record, key: made.key, at: realms.clock.timeOfDay()), status: .created)
    }
    routes.delete("/v1/keys/:key", RoutePolicy(.key, .admin)) { call in
      try await realms[call.realm].access.keys.revoke(call.parameter("key"), by: call.context.actor ?? "")
      return JSONResponse.noContent
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
      state: record.revoked != nil ? "revoked" : record.isGood(at: time) ? "active" : "expired",
      createdAt: JSONResponse.rfc3339(milliseconds: record.created.milliseconds), expiresAt: text(record.expires),
      revokedAt: text(record.revoked), lastUsedAt: text(record.lastUsed))
  }
}
