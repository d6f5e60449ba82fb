public import MienPlatform
internal import Crypto
public import MienCore

/// Attestation: verifying that a genuine app on a genuine device holds a device's key and takes its captures.
extension CaptureService {
  /// Creates a challenge for attesting an app's key, valid once and for the time in the settings.
  ///
  /// - Throws: ``ServiceError`` with `attestation-disabled` if the server verifies no attestations.
  public func makeChallenge() async throws -> (challenge: String, expires: UnixTime) {
    guard verifier != nil else { throw Self.attestationDisabled }
    let challenge = secret(prefix: "chl_")
    let now = clock.timeOfDay()
    let expires = now.adding(settings.challengeLifetime)
    try await store.saveChallenge(SecretDigest(of: challenge), until: expires, at: now)
    return (challenge, expires)
  }

  /// Registers a device's key that an attested app vouches for; nothing is stored if the attestation is invalid.
  ///
  /// The challenge is used up in any case. A device already registered with the same key receives the attestation.
  public func register(_ id: DeviceID, key: DeviceKey, claim: AttestationSubmission) async throws -> CaptureDevice {
    guard let verifier else { throw Self.attestationDisabled }
    if let kept = try await store.device(id), kept.key != key { throw Self.deviceExists }
    let now = clock.timeOfDay()
    guard try await store.takeChallenge(SecretDigest(of: claim.challenge), at: now) else {
      throw Self.refused(
        AttestationError(
          .challenge,
          "The challenge was not issued by this server, was already used, or has expired. Request a new one."))
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
    guard let device = try await store.attest(id, key: key, attested) else { throw Self.deviceExists }
    return device
  }

  /// Returns the result of verifying the app that took a capture with a valid signature; `nil` if the server does not
  /// verify attestations.
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
    ServiceError(.attestationRejected, "The attestation is invalid (step \"\(refusal.step)\"). \(refusal.reason)")
  }

  private static var attestationDisabled: ServiceError {
    ServiceError(
      .attestationDisabled,
      "This server does not verify attestations: it has no root certificate (--app-attest-root). "
        + "Register without \"app_attest\".")
  }
}

extension DeviceKey {
  /// Verifies a message's signature by this key: ECDSA with SHA-256, 64 bytes (IEEE P1363) or DER.
  func isValid(_ signature: [UInt8], over message: [UInt8]) -> Bool {
    let signature =
      signature.count == 64
      ? try? P256.Signing.ECDSASignature(rawRepresentation: signature)
      : try? P256.Signing.ECDSASignature(derRepresentation: signature)
    guard let signature, let key = try? P256.Signing.PublicKey(x963Representation: bytes) else { return false }
    return key.isValidSignature(signature, for: message)
  }
}
