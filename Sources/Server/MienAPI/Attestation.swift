/// Response to `POST /v1/devices/challenges`.
public struct ChallengeResponse: Codable, Hashable, Sendable {
  public var challenge: String
  /// Expiration time, RFC 3339.
  public var expiresAt: String

  public enum CodingKeys: String, CodingKey {
    case challenge
    case expiresAt = "expires_at"
  }

  public init(challenge: String, expiresAt: String) {
    self.challenge = challenge
    self.expiresAt = expiresAt
  }
}

/// Member `app_attest` of `POST /v1/devices`: Apple's attestation of the app that registers its device's key
/// (`Documentation/reference/formats/DeviceAttestation.md`). Bytes are base64url without padding.
public struct AppAttestRequest: Codable, Hashable, Sendable {
  /// SHA-256 of the attested key's point.
  public var keyID: String
  public var challenge: String
  /// Apple's attestation object.
  public var attestation: String
  /// Signature of the client data by the device's key: 64 bytes (r, s) or DER.
  public var signature: String

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case keyID = "key_id"
    case challenge, attestation, signature
  }

  public init(keyID: String, challenge: String, attestation: String, signature: String) {
    self.keyID = keyID
    self.challenge = challenge
    self.attestation = attestation
    self.signature = signature
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    keyID = try box.decode(String.self, forKey: .keyID)
    challenge = try box.decode(String.self, forKey: .challenge)
    attestation = try box.decode(String.self, forKey: .attestation)
    signature = try box.decode(String.self, forKey: .signature)
  }

  /// Returns the UTF-8 text that Apple attests and the device's key signs.
  ///
  /// - Parameters:
  ///   - challenge: the server's challenge.
  ///   - device: the device's ID.
  ///   - point: the device's P-256 public key in base64url: 4, x, y, 65 bytes.
  public static func clientData(challenge: String, device: String, point: String) -> String {
    "mien-attestation-1\nchallenge=\(challenge)\ndevice=\(device)\nkey=\(point)\n"
  }
}

/// Attestation record of the app that registered a device's key.
public struct AppAttestResponse: Codable, Hashable, Sendable {
  /// SHA-256 of the attested key's point in base64url without padding.
  public var keyID: String
  /// `production` or `development`.
  public var environment: String
  /// Counter of the latest assertion; 0 before the first.
  public var counter: Int64
  /// Time of the attestation, RFC 3339.
  public var attestedAt: String

  public enum CodingKeys: String, CodingKey {
    case keyID = "key_id"
    case environment, counter
    case attestedAt = "attested_at"
  }

  public init(keyID: String, environment: String, counter: Int64, attestedAt: String) {
    self.keyID = keyID
    self.environment = environment
    self.counter = counter
    self.attestedAt = attestedAt
  }
}

/// Part `assertion` of a capture: the attested app's assertion over the device's signature. Bytes are base64url without
/// padding.
public struct AssertionPart: Codable, Hashable, Sendable {
  /// SHA-256 of the attested key's point.
  public var keyID: String
  /// Apple's assertion object over SHA-256 of the signed text.
  public var assertion: String

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case keyID = "key_id"
    case assertion
  }

  public init(keyID: String, assertion: String) {
    self.keyID = keyID
    self.assertion = assertion
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    keyID = try box.decode(String.self, forKey: .keyID)
    assertion = try box.decode(String.self, forKey: .assertion)
  }
}
