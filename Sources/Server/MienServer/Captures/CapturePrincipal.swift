internal import MienCaptures
internal import MienChecks
internal import MienCore
internal import MienPlatform

/// Sender of a capture: the holder of a key, any client of a demo server, or a person with a check's token.
struct CapturePrincipal: Sendable {
  let service: CaptureService
  /// Owner of new captures.
  let owner: SecretDigest?
  /// Check of the token in the request.
  let check: CheckID?
}

extension CaptureRoutes {
  /// Returns the sender of a capture, before the body is read.
  ///
  /// - Throws: ``ServiceError`` with `captureNotAllowed` if the check of the token was created without captures,
  ///   `tokenExpired` if the token has expired, and `storageQuota` if the check already has as many captures as allowed.
  func principal(_ call: RouteCall) async throws -> CapturePrincipal {
    guard let holder = try await call.checkTokenHolder(in: realms) else {
      return CapturePrincipal(
        service: captures[call.realm], owner: call.bearer.map { SecretDigest(of: $0) }, check: nil)
    }
    guard holder.check.takesCaptures else {
      throw ServiceError(
        .captureNotAllowed,
        "This check was created without captures. Create it with \"capture\": true, or send them with an API key.")
    }
    guard holder.isOpen else { throw ServiceError(.tokenExpired, "The check's token has expired.") }
    let service = captures[holder.realm]
    try await service.expectRoom(for: holder.check.id)
    return CapturePrincipal(
      service: service, owner: StorageQuotas.owner(holder.check.id), check: holder.check.id)
  }
}
