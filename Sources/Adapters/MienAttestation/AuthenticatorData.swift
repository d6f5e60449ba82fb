/// The authenticator's data of WebAuthn (Level 2, section 6.1) as App Attest fills it.
///
/// Its flags are not judged: Apple sets the one for attested data in assertions, too, which have none.
struct AuthenticatorData {
  /// What an attestation has beside what an assertion has.
  struct Credential {
    /// 16 bytes.
    let aaguid: [UInt8]
    /// As many bytes as the object says.
    let id: [UInt8]
    /// The public key, where it stands there: a COSE_Key (RFC 9052).
    let key: CBORValue?
  }

  /// SHA-256 of the app's id, 32 bytes.
  let app: [UInt8]
  let counter: UInt32
  /// Nil for an assertion.
  let credential: Credential?

  /// Where an assertion's data end, but for extensions.
  private static let headBytes = 37

  /// An assertion's: the head alone, perhaps with one item of extensions, which the signature covers and nobody reads.
  ///
  /// - Throws: ``CBORError`` for what is shorter, or goes on otherwise.
  static func ofAssertion(_ bytes: [UInt8]) throws(CBORError) -> AuthenticatorData {
    let (app, counter) = try head(bytes)
    _ = try items(bytes, from: headBytes, atMost: 1)
    return AuthenticatorData(app: app, counter: counter, credential: nil)
  }

  /// An attestation's: the head, the credential, and perhaps its public key and extensions.
  ///
  /// - Throws: ``CBORError`` for what is shorter, or goes on otherwise.
  static func ofAttestation(_ bytes: [UInt8]) throws(CBORError) -> AuthenticatorData {
    let (app, counter) = try head(bytes)
    let start = headBytes + 18
    guard bytes.count >= start else { throw CBORError(reason: .truncated, byte: bytes.count) }
    let count = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
    guard bytes.count >= start + count else { throw CBORError(reason: .truncated, byte: bytes.count) }
    let behind = try items(bytes, from: start + count, atMost: 2)
    return AuthenticatorData(
      app: app, counter: counter,
      credential: Credential(
        aaguid: Array(bytes[headBytes..<headBytes + 16]), id: Array(bytes[start..<start + count]), key: behind.first))
  }

  private static func head(_ bytes: [UInt8]) throws(CBORError) -> (app: [UInt8], counter: UInt32) {
    guard bytes.count >= headBytes else { throw CBORError(reason: .truncated, byte: bytes.count) }
    // Byte 32 has the flags.
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
