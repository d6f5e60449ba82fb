/// Authenticator data of WebAuthn (Level 2, section 6.1) as produced by App Attest.
///
/// The flags are ignored: Apple sets the flag for attested credential data in assertions as well, which contain none.
struct AuthenticatorData {
  /// Attested credential data, present only in attestations.
  struct Credential {
    /// 16 bytes.
    let aaguid: [UInt8]
    /// Credential ID; its length is stored in the data.
    let id: [UInt8]
    /// Public key as a COSE_Key (RFC 9052), if present.
    let key: CBORValue?
  }

  /// SHA-256 of the app ID, 32 bytes.
  let app: [UInt8]
  let counter: UInt32
  /// Credential; `nil` for an assertion.
  let credential: Credential?

  /// Length of an assertion's data without extensions.
  private static let headBytes = 37

  /// Parses the authenticator data of an assertion: the header, optionally followed by one item of extensions, which the signature covers
  /// and which is ignored.
  ///
  /// - Throws: ``CBORError`` if the data is truncated or has other trailing content.
  static func ofAssertion(_ bytes: [UInt8]) throws(CBORError) -> AuthenticatorData {
    let (app, counter) = try head(bytes)
    _ = try items(bytes, from: headBytes, atMost: 1)
    return AuthenticatorData(app: app, counter: counter, credential: nil)
  }

  /// Parses the authenticator data of an attestation: the header and the credential, optionally followed by its public key and
  /// extensions.
  ///
  /// - Throws: ``CBORError`` if the data is truncated or has other trailing content.
  static func ofAttestation(_ bytes: [UInt8]) throws(CBORError) -> AuthenticatorData {
    let (app, counter) = try head(bytes)
    let start = headBytes + 18
    guard bytes.count >= start else { throw CBORError(reason: .truncated, byte: bytes.count) }
    let count = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
    guard bytes.count >= start + count else { throw CBORError(reason: .truncated, byte: bytes.count) }
    let trailing = try items(bytes, from: start + count, atMost: 2)
    return AuthenticatorData(
      app: app, counter: counter,
      credential: Credential(
        aaguid: Array(bytes[headBytes..<headBytes + 16]), id: Array(bytes[start..<start + count]), key: trailing.first))
  }

  private static func head(_ bytes: [UInt8]) throws(CBORError) -> (app: [UInt8], counter: UInt32) {
    guard bytes.count >= headBytes else { throw CBORError(reason: .truncated, byte: bytes.count) }
    // Byte 32 contains the flags.
    return (Array(bytes[..<32]), bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) })
  }

  private static func items(
    _ bytes: [UInt8], from place: Int, atMost count: Int
  ) throws(CBORError) -> [CBORValue] {
    var reader = CBORReader(bytes, at: place)
    var found: [CBORValue] = []
    while !reader.isAtEnd {
      guard found.count < count else { throw CBORError(reason: .behind, byte: reader.place) }
      found.append(try reader.next())
    }
    return found
  }
}
