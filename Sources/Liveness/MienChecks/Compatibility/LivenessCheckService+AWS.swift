public import MienPlatform
internal import MienSecurity
internal import Crypto
public import MienCore

/// Use cases of the AWS-compatible API: a thin layer over checks.
extension LivenessCheckService {
  /// Verifies a request's signature against the access keys.
  ///
  /// - Returns: the ID of the key that signed it.
  /// - Throws: ``AWSError``; ``StoreError``.
  public func authenticate(_ request: SignedRequest) async throws -> String {
    let claim = try SigV4(request)
    guard let keyring,
      let secret = try await AccessKeys(store: store, keyring: keyring, space: settings.space).secret(
        of: claim.accessKey)
    else {
      throw AWSError(
        .unrecognizedClient, "There is no such access key on this server. `mien keys add aws` makes one.")
    }
    try claim.verify(request, secret: secret, now: clock.timeOfDay())
    return claim.accessKey
  }

  /// Creates a session of the AWS-compatible API, or returns the one created earlier with the same request token.
  ///
  /// - Returns: the check's ID, and the token for the person's page or app with its time of expiry.
  public func createLivenessSession(_ options: CreateSessionOptions, by owner: String) async throws
    -> (id: CheckID, token: String, expires: UnixTime)
  {
    guard let keyring, let id = CheckID(RandomTokens.uuid(version: settings.space.uuidVersion, using: &randomness))
    else {
      throw AWSError(.accessDenied, "This server has no seal and makes no sessions of this kind.")
    }
    let check = newCheck(
      id, secret: keyring.secret(of: id), side: nil, person: nil, expectsDepth: false, reference: nil,
      tasks: sessionTasks())
    let session = CompatibilitySession(
      dialect: .aws, owner: owner, requestToken: options.requestToken,
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
    guard try await store.dialectSession(of: id)?.dialect == .aws, let found = try await store.check(id) else {
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
