public import MienCore

/// What a device brings to have its app's key attested: `Documentation/Formats/DeviceAttestation.md`.
public struct AttestationSubmission: Sendable {
  /// The App Attest key, as its digest names it.
  public let keyID: ContentDigest
  /// A challenge of this server.
  public let challenge: String
  /// Apple's attestation object, as it came.
  public let object: [UInt8]
  /// The device's own key has signed the client data, too: 64 bytes (r, s) or DER.
  public let signature: [UInt8]

  public init(keyID: ContentDigest, challenge: String, object: [UInt8], signature: [UInt8]) {
    self.keyID = keyID
    self.challenge = challenge
    self.object = object
    self.signature = signature
  }

  /// What is attested and signed: the app vouches that this key is the one with which this device signs captures.
  public static func clientData(challenge: String, device: DeviceID, key: DeviceKey) -> String {
    "mien-attestation-1\nchallenge=\(challenge)\ndevice=\(device.text)\nkey=\(Base64URL.encode(key.bytes))\n"
  }
}

/// What a capture brings beside its signature: the attested app's assertion over the text that is signed.
public struct CaptureAssertion: Sendable {
  public let keyID: ContentDigest
  /// Apple's assertion object, as it came.
  public let object: [UInt8]

  public init(keyID: ContentDigest, object: [UInt8]) {
    self.keyID = keyID
    self.object = object
  }
}
