public import MienPlatform
public import MienCore

/// A device's request to attest its app's key: see `Documentation/reference/formats/DeviceAttestation.md`.
public struct AttestationSubmission: Sendable {
  /// Digest that identifies the App Attest key.
  public let keyID: ContentDigest
  /// A challenge issued by this server.
  public let challenge: String
  /// Apple's attestation object, as received.
  public let object: [UInt8]
  /// Signature of the client data by the device's own key: 64 bytes (r, s) or DER.
  public let signature: [UInt8]

  public init(keyID: ContentDigest, challenge: String, object: [UInt8], signature: [UInt8]) {
    self.keyID = keyID
    self.challenge = challenge
    self.object = object
    self.signature = signature
  }

  /// Returns the text that is attested and signed: the app vouches that this device signs captures with this key.
  public static func clientData(challenge: String, device: DeviceID, key: DeviceKey) -> String {
    "mien-attestation-1\nchallenge=\(challenge)\ndevice=\(device.text)\nkey=\(Base64URL.encode(key.bytes))\n"
  }
}

/// The attested app's assertion over the signed text, sent with a capture in addition to its signature.
public struct CaptureAssertion: Sendable {
  public let keyID: ContentDigest
  /// Apple's assertion object, as received.
  public let object: [UInt8]

  public init(keyID: ContentDigest, object: [UInt8]) {
    self.keyID = keyID
    self.object = object
  }
}
