internal import MienPlatform
internal import MienSecurity
public import MienCore

/// Functions shared by the compatible APIs: sessions whose token can be retrieved again.
extension LivenessCheckService {
  /// Creates a session whose token a backend retrieves in a second request, with ``token(of:)``.
  ///
  /// - Parameter reference: the integrator's own note, up to 128 characters.
  public func createSession(reference: String?) async throws -> CheckRecord {
    guard (reference?.unicodeScalars.count).map({ $0 <= 128 }) != false else {
      throw ServiceError(.badValue, "The note is longer than 128 characters.")
    }
    guard let keyring, let id = CheckID(RandomTokens.uuid(version: settings.space.uuidVersion, using: &randomness))
    else {
      throw ServiceError(.forbidden, "This server has no seal and makes no sessions of this kind.")
    }
    let check = newCheck(
      id, secret: keyring.secret(of: id), side: nil, person: nil, expectsDepth: false, reference: reference,
      tasks: sessionTasks())
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
      throw ServiceError(.checkOver, "This check is over and its token is of no use. Create a new one.")
    }
    return (found.record, token(of: found.record, secret: secret))
  }
}
