internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienChecks
internal import MienScanService

/// Principal of scan requests: the holder of a key, any client of a demo server, or a person with a check's token, who
/// may send one scan and read it.
struct ScanPrincipal: Sendable {
  let service: ScanService
  /// Owner of new scans.
  let owner: SecretDigest?
  private let person: CheckTokenHolder?
  /// Check of the token in the request.
  var check: CheckID? { person?.check.id }

  /// Creates a principal with a key, or without one on a demo server.
  init(service: ScanService, owner: SecretDigest?) {
    (self.service, self.owner, person) = (service, owner, nil)
  }

  /// Creates a principal with a check's token.
  init(service: ScanService, _ holder: CheckTokenHolder) {
    (self.service, owner, person) = (service, StorageQuotas.owner(holder.check.id), holder)
  }

  /// Maximum size of a scan with all its files, in bytes.
  var maximumBytes: Int {
    let settings = service.settings
    return person == nil ? settings.maximumBytes : min(settings.maximumBytes, settings.maximumCheckBytes)
  }

  /// Returns the idempotency key of the request that creates a scan; it is fixed for a check's token, which allows only
  /// one.
  ///
  /// - Throws: ``ServiceError`` with `scanNotAllowed` if the check was created without a scan, `tokenExpired` if the
  ///   token has expired.
  func request(_ named: String?) throws -> String? {
    guard let person else { return named }
    guard person.check.takesScan else {
      throw ServiceError(
        .scanNotAllowed,
        "This check was created without a scan. Create it with \"scan\": true, or send the scan with an API key.")
    }
    guard person.isOpen else {
      throw ServiceError(.tokenExpired, "The check's token has expired; it can no longer start a scan.")
    }
    return ScanService.checkRequest
  }

  /// Returns the subject of a new scan; throws if one is given without an API key.
  func subject(_ text: String?) throws -> String? {
    guard person == nil || text.map(\.isEmpty) != false else {
      throw ServiceError(.badValue, "\"subject\" requires an API key.")
    }
    return text
  }

  /// Returns the ID unchanged; throws if the scan is not the one of the principal's check.
  func own(_ id: String) async throws -> String {
    guard let person else { return id }
    guard let own = try await service.scan(of: person.check.id), own.text == id else {
      throw ServiceError(.notFound, "There is no such scan of this check.")
    }
    return id
  }

  /// Returns the upload ID unchanged; throws if its scan is not the one of the principal's check.
  func ownUpload(_ id: String) async throws -> String {
    guard person != nil else { return id }
    _ = try await own(service.upload(id).scan.text)
    return id
  }
}

extension ScanRoutes {
  /// Returns the principal of a request with a key or a check's token, or of one without either on a demo server.
  func principal(_ call: RouteCall) async throws -> ScanPrincipal {
    if let holder = try await call.checkTokenHolder(in: realms) {
      return ScanPrincipal(service: scans[holder.realm], holder)
    }
    return ScanPrincipal(service: scans[call.realm], owner: call.bearer.map { SecretDigest(of: $0) })
  }
}
