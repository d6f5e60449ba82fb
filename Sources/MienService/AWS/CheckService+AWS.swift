internal import Crypto
public import MienModel

/// The use cases of the AWS dialect: a thin shell around checks.
extension CheckService {
  /// Holds a request's signature against the access keys.
  ///
  /// - Returns: the id of the key that signed it.
  /// - Throws: ``AWSFault``; ``StoreError``.
  public func authenticate(_ request: SignedRequest) async throws -> String {
    let claim = try SigV4(request)
    guard let seal,
      let secret = try await AccessKeys(store: store, seal: seal, space: settings.space).secret(of: claim.accessKey)
    else {
      throw AWSFault(
        .unrecognisedClient, "There is no such access key on this server. `mien keys add aws` makes one.")
    }
    try claim.verify(request, secret: secret, now: clock.timeOfDay())
    return claim.accessKey
  }

  /// Creates a session for the AWS dialect, or finds the one that the same request token made.
  ///
  /// - Returns: the check's id and the token that the person's page or app needs.
  public func createLivenessSession(_ wish: LivenessSessionWish, by owner: String) async throws
    -> (id: SessionID, token: String, expires: UnixTime)
  {
    guard let seal, let id = SessionID(Secrets.uuid(version: settings.space.uuidVersion, using: &dice)) else {
      throw AWSFault(.accessDenied, "This server has no seal and makes no sessions of this kind.")
    }
    let check = newCheck(
      id, secret: seal.secret(of: id), side: nil, person: nil, expectsDepth: false, reference: nil,
      tasks: sessionTasks())
    let session = DialectSession(
      dialect: .aws, owner: owner, requestToken: wish.requestToken,
      parameters: Array(SHA256.hash(data: Array(wish.parameters.utf8))), auditPictures: wish.auditPictures)
    if let (earlier, kept) = try await store.create(check, session) {
      guard kept == session else {
        throw AWSFault(
          .idempotentParameterMismatch,
          "This ClientRequestToken was used for a session with other parameters. Use a new token for each session.")
      }
      guard let found = try await store.check(earlier),
        let secret = seal.secret(of: earlier, keptAs: found.record.token)
      else { throw Self.noSuchSession }
      return (earlier, token(of: found.record, secret: secret), found.record.expires)
    }
    meter.created()
    return (id, token(of: check, secret: seal.secret(of: id)), check.expires)
  }

  /// What became of a session that the AWS dialect created; sessions created otherwise are not found.
  public func livenessResults(_ id: SessionID) async throws -> LivenessResults {
    guard try await store.dialectSession(of: id)?.dialect == .aws, let found = try await store.check(id) else {
      throw Self.noSuchSession
    }
    let pictures = found.result == nil ? [] : try await store.pictures(of: id)
    return LivenessResults(
      found.result, isUnderWay: live[id] != nil, isExpired: found.record.expires <= clock.timeOfDay(),
      pictures: pictures)
  }

  private static var noSuchSession: AWSFault {
    AWSFault(.sessionNotFound, "There is no Face Liveness session with this id on this server.")
  }
}
