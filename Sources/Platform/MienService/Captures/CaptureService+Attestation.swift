internal import Crypto
public import MienCore

/// Whether a genuine app on a genuine device has a device's key, and takes its captures.
extension CaptureService {
  /// A challenge to have an app's key attested with, once and within the settings' time.
  ///
  /// - Throws: ``ServiceError`` with `attestation-off` where the server checks no attestation.
  public func makeChallenge() async throws -> (challenge: String, expires: UnixTime) {
    guard verifier != nil else { throw Self.attestationOff }
    let challenge = secret(prefix: "chl_")
    let now = clock.timeOfDay()
    let expires = now.adding(settings.challengeLifetime)
    try await store.saveChallenge(SecretDigest(of: challenge), until: expires, at: now)
    return (challenge, expires)
  }

  /// Registers a device's key for which an attested app vouches; when the attestation does not hold, nothing is kept.
  ///
  /// The challenge is used up, whatever comes of it. A device that was registered with the same key gets the attestation.
  /// - Throws: ``ServiceError`` with `attestation-off`, `attestation-refused` or `device-taken`.
  public func register(_ id: DeviceID, key: DeviceKey, claim: AttestationSubmission) async throws -> CaptureDevice {
    guard let verifier else { throw Self.attestationOff }
    if let kept = try await store.device(id), kept.key != key { throw Self.deviceTaken }
    let now = clock.timeOfDay()
    guard try await store.takeChallenge(SecretDigest(of: claim.challenge), at: now) else {
      throw Self.refused(
        AttestationError(
          .challenge, "The challenge is not this server's, was used before, or came too late. Ask for another."))
    }
    let clientData = Array(
      AttestationSubmission.clientData(challenge: claim.challenge, device: id, key: key).utf8)
    guard key.isValid(claim.signature, over: clientData) else {
      throw Self.refused(
        AttestationError(.possession, "\"signature\" over the client data was not made with the device's own key."))
    }
    let attested: AttestedKey
    do throws(AttestationError) {
      attested = try await verifier.attestedKey(
        in: claim.object, keyID: claim.keyID, clientData: clientData, at: now)
    } catch {
      throw Self.refused(error)
    }
    _ = try await register(id, key: key)
    guard let device = try await store.attest(id, key: key, attested) else { throw Self.deviceTaken }
    return device
  }

  /// What is known of the app that took a capture whose signature holds; nil where the server does not check it.
  nonisolated func attestation(
    of assertion: CaptureAssertion?, by device: CaptureDevice, over text: String
  ) -> AttestationOutcome? {
    guard let verifier else { return nil }
    let attested = device.attested.flatMap { verifier.takes($0.environment) ? $0 : nil }
    let environment = attested?.environment
    guard let assertion else { return AttestationOutcome(environment: environment, standing: .none) }
    guard let key = attested, key.id == assertion.keyID else {
      return AttestationOutcome(environment: environment, standing: .foreignKey)
    }
    guard let counter = try? verifier.counter(of: assertion.object, over: Array(text.utf8), by: key) else {
      return AttestationOutcome(environment: environment, standing: .invalid)
    }
    return AttestationOutcome(environment: environment, standing: .valid, counter: counter, keyID: key.id)
  }

  private static func refused(_ refusal: AttestationError) -> ServiceError {
    ServiceError(.attestationRefused, "The attestation does not hold (step \"\(refusal.step)\"). \(refusal.reason)")
  }

  private static var attestationOff: ServiceError {
    ServiceError(
      .attestationOff,
      "This server checks no attestations: it was given no root (--app-attest-root). Register without \"app_attest\".")
  }
}

extension DeviceKey {
  /// Whether this key signed a message: ECDSA with SHA-256, 64 bytes (IEEE P1363) or DER.
  func isValid(_ signature: [UInt8], over message: [UInt8]) -> Bool {
    let signature =
      signature.count == 64
      ? try? P256.Signing.ECDSASignature(rawRepresentation: signature)
      : try? P256.Signing.ECDSASignature(derRepresentation: signature)
    guard let signature, let key = try? P256.Signing.PublicKey(x963Representation: bytes) else { return false }
    return key.isValidSignature(signature, for: message)
  }
}
