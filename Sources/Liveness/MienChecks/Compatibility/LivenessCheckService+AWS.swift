internal import Crypto
public import MienCore
public import MienPlatform
internal import MienSecurity

/// Use cases of the AWS-compatible API: a thin layer over checks.
extension LivenessCheckService {
  /// Verifies a request's signature against the access keys.
  ///
  /// - Returns: the ID of the key that signed it.
  /// - Throws: ``AWSError``; ``StoreError``.
  public func authenticate(_ request: SignedRequest) async throws -> String {
    let claim = try SigV4(request)
    guard let keyring,
      let secret = try await AccessKeys(store: store, keyring: keyring, realm: settings.realm).secret(
        of: claim.accessKey)
    else {
      throw AWSError(
        .unrecognizedClient, "There is no such access key on this server. `mien keys add aws` creates one.")
    }
    try claim.verify(request, secret: secret, now: clock.timeOfDay())
    return claim.accessKey
  }

  /// Returns `true` if a request names an access key of this server; its signature is not verified.
  public func knowsAccessKey(of request: SignedRequest) async throws -> Bool {
    guard let keyring, let claim = try? SigV4(request) else { return false }
    return try await AccessKeys(store: store, keyring: keyring, realm: settings.realm).secret(of: claim.accessKey)
      != nil
  }

  /// Creates a session of the AWS-compatible API, or returns the one created earlier with the same request token.
  ///
  /// - Returns: the check's ID, and the token for the person's page or app with its time of expiry.
  public func createLivenessSession(_ options: CreateSessionOptions, by owner: String) async throws
    -> (id: CheckID, token: String, expires: UnixTime)
  {
    guard let keyring, let id = CheckID(RandomTokens.uuid(version: settings.realm.uuidVersion, using: &randomness))
    else {
      throw AWSError(.accessDenied, "This server has no keyring and creates no sessions of this kind.")
    }
    let check = try newCheck(
      id, secret: keyring.secret(of: id), side: nil, person: nil, expectsDepth: false, reference: nil,
      challenge: sessionChallenge())
    let session = CompatibilitySession(
      api: .aws, owner: owner, requestToken: options.requestToken,
      parameters: Array(SHA256.hash(data: Array(options.parameters.utf8))), auditImages: options.auditImages)
    if let (earlier, kept) = try await store.create(check, session) {
      guard kept == session else {
        throw AWSError(
          .idempotentParameterMismatch,
          "This ClientRequestToken was used for a session with other parameters. Use a new token for each session.")
      }
      guard let found = try await store.check(earlier),
        let secret = keyring.secret(of: earlier, keptAs: found.record.token)
      else { throw Self.noSuchSession }
      return (earlier, token(of: found.record, secret: secret), found.record.expires)
    }
    meter.created()
    return (id, token(of: check, secret: keyring.secret(of: id)), check.expires)
  }

  /// Returns the result of a session created through the AWS-compatible API; other sessions are not found.
  public func livenessResults(_ id: CheckID) async throws -> LivenessResults {
    guard try await store.compatibilitySession(of: id)?.api == .aws, let found = try await store.check(id) else {
      throw Self.noSuchSession
    }
    let images = found.result == nil ? [] : try await store.images(of: id)
    return LivenessResults(
      found.result, isUnderWay: live[id] != nil, isExpired: found.record.expires <= clock.timeOfDay(),
      images: images)
  }

  private static var noSuchSession: AWSError {
    AWSError(.sessionNotFound, "There is no Face Liveness session with this id on this server.")
  }
}

/// Functions shared by the compatible APIs: sessions whose token can be retrieved again.
extension LivenessCheckService {
  /// Creates a session whose token a backend retrieves in a second request, with ``token(of:)``.
  ///
  /// - Parameters:
  ///   - reference: the integrator's own note, up to 128 characters.
  ///   - tasks: tasks to request; `nil` lets the person's app choose, and requests the default challenge until it does.
  public func createSession(reference: String?, tasks: [TaskOptions]? = nil) async throws -> CheckRecord {
    guard (reference?.unicodeScalars.count).map({ $0 <= 128 }) != false else {
      throw ServiceError(.badValue, "The note is longer than 128 characters.")
    }
    guard let keyring, let id = CheckID(RandomTokens.uuid(version: settings.realm.uuidVersion, using: &randomness))
    else {
      throw ServiceError(.forbidden, "This server has no keyring and creates no sessions of this kind.")
    }
    let check = try newCheck(
      id, secret: keyring.secret(of: id), side: nil, person: nil, expectsDepth: false, reference: reference,
      challenge: sessionChallenge(tasks), takesTasks: tasks == nil)
    try await store.create(check)
    meter.created()
    return check
  }

  /// Returns the token of a session that was created through a compatible API and is still open, for the person's page
  /// or app.
  ///
  /// The token of a check created through `/v1` is not stored and cannot be retrieved.
  public func token(of id: CheckID) async throws -> (check: CheckRecord, token: String) {
    guard let found = try await store.check(id) else { throw Self.noSuchCheck }
    guard let secret = keyring?.secret(of: id, keptAs: found.record.token) else {
      throw ServiceError(.forbidden, "This check's token was shown when it was created and is not kept.")
    }
    guard found.result == nil, clock.timeOfDay() < found.record.expires else {
      throw ServiceError(.checkEnded, "This check is over and its token is of no use. Create a new one.")
    }
    return (found.record, token(of: found.record, secret: secret))
  }
}
