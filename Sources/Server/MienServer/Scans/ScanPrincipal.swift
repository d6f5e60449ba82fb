internal import Hummingbird
internal import MienCore
internal import MienService

/// Who asks for scans: the holder of a key, anybody on a demo server, or a person with a check's token, who may send one
/// scan and look at it.
struct ScanPrincipal: Sendable {
  let service: ScanService
  /// Whose the scans are that are begun.
  let owner: SecretDigest?
  private let person: (check: CheckRecord, isOpen: Bool)?
  /// The check whose token is shown.
  var check: CheckID? { person?.check.id }

  /// With a key, or without on a demo server.
  init(service: ScanService, owner: SecretDigest?) {
    (self.service, self.owner, person) = (service, owner, nil)
  }

  /// With a check's token.
  init(service: ScanService, of check: CheckRecord, isOpen: Bool) {
    (self.service, owner, person) = (service, ScanService.owner(check.id), (check, isOpen))
  }

  /// The largest scan, all its files together, in bytes.
  var maximumBytes: Int {
    let settings = service.settings
    return person == nil ? settings.maximumBytes : min(settings.maximumBytes, settings.maximumCheckBytes)
  }

  /// What names the request that begins a scan: with a check's token there is one.
  ///
  /// - Throws: ``ServiceError`` with `scanNotAllowed` when the check was created without a scan, `tokenExpired` when its time is
  ///   over.
  func request(_ named: String?) throws -> String? {
    guard let person else { return named }
    guard person.check.takesScan else {
      throw ServiceError(
        .scanNotAllowed,
        "This check was created without a scan. Create it with \"scan\": true, or send the scan with an API key.")
    }
    guard person.isOpen else {
      throw ServiceError(.tokenExpired, "The check's token has expired: it begins no scan any more.")
    }
    return ScanService.checkRequest
  }

  /// Whom a person's scan is of is for the holder of a key to say.
  func subject(_ text: String?) throws -> String? {
    guard person == nil || text.map(\.isEmpty) != false else {
      throw ServiceError(.badValue, "\"subject\" is set with an API key.")
    }
    return text
  }

  /// The same id; to a person there is no other scan than their own.
  func own(_ id: String) async throws -> String {
    guard let person else { return id }
    guard let own = try await service.scan(of: person.check.id), own.text == id else {
      throw ServiceError(.notFound, "There is no such scan of this check.")
    }
    return id
  }

  /// The same for an upload.
  func ownUpload(_ id: String) async throws -> String {
    guard person != nil else { return id }
    _ = try await own(service.upload(id).scan.text)
    return id
  }
}

extension ScanRoutes {
  /// Who asks; refuses who shows neither a key nor a check's token, unless the server is a demo.
  func caller(_ request: Request, _ context: ServerContext) async throws -> ScanPrincipal {
    guard let secret = RequestParsing.bearer(request), secret.contains(".") else {
      return ScanPrincipal(service: try await service(for: request, context), owner: Self.owner(request))
    }
    // Each world signs its tokens with a key of its own.
    for space in Realm.allCases {
      guard let holder = try await spaces[space].service.holder(of: secret) else { continue }
      return ScanPrincipal(service: scans[space], of: holder.check, isOpen: holder.isOpen)
    }
    throw ServiceError(
      .unauthorized, "This needs an API key or the token of a check: send it as \"Authorization: Bearer …\".")
  }
}
