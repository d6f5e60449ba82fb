/// Error for bytes that are not an attestation or assertion.
enum AttestationFormatError: Error, Hashable, Sendable {
  case notCBOR(CBORError)
  /// The object is larger than this many bytes.
  case tooLarge(Int)
  /// The object does not have exactly these members, or one has another type.
  case members(String)
  case otherFormat
  case certificateCount(Int)

  /// Description of the error as a clause of a sentence.
  var words: String {
    switch self {
    case .notCBOR(let fault): "at byte \(fault.byte) \(fault.reason.rawValue)"
    case .tooLarge(let most): "it is larger than \(most) bytes"
    case .members(let members): "it must contain exactly \(members)"
    case .otherFormat: "its format is not \"\(AttestationObject.format)\""
    case .certificateCount(let count): "it has \(count) certificates instead of 2 to \(AttestationObject.maximumChain)"
    }
  }
}

/// Parsed, unverified attestation object: CBOR in the format of WebAuthn (Level 2, section 6.5).
struct AttestationObject {
  static let format = "apple-appattest"
  /// Maximum object size; Apple's objects have about 6 KB.
  static let maximumBytes = 32 << 10
  /// Maximum number of certificates; Apple sends 2.
  static let maximumChain = 4

  /// Certificates in DER; the certificate of the app's key is the first.
  let certificates: [[UInt8]]
  /// Receipt for later fraud assessment by Apple; unused here.
  let receipt: [UInt8]
  let authenticatorData: [UInt8]
  let authenticator: AuthenticatorData

  init(_ bytes: [UInt8]) throws(AttestationFormatError) {
    let value = try AttestationObjectParser.map(bytes, atMost: Self.maximumBytes, ["fmt", "attStmt", "authData"])
    guard let statement = value["attStmt"], statement.textKeys.map(Set.init) == ["x5c", "receipt"] else {
      throw .members("\"x5c\" and \"receipt\" in \"attStmt\"")
    }
    guard value["fmt"]?.asText == Self.format else { throw .otherFormat }
    guard let chain = statement["x5c"]?.asArray, let receipt = statement["receipt"]?.asBytes,
      let data = value["authData"]?.asBytes
    else { throw .members("\"x5c\" with a list, \"receipt\" and \"authData\" with bytes") }
    let certificates = chain.compactMap(\.asBytes)
    guard certificates.count == chain.count else { throw .members("bytes in \"x5c\"") }
    guard (2...Self.maximumChain).contains(chain.count) else { throw .certificateCount(chain.count) }
    self.certificates = certificates
    self.receipt = receipt
    authenticatorData = data
    do throws(CBORError) { authenticator = try .ofAttestation(data) } catch { throw .notCBOR(error) }
  }
}

/// Parsed, unverified assertion object.
struct AssertionObject {
  /// Maximum object size; Apple's objects have about 150 bytes.
  static let maximumBytes = 4 << 10

  /// Signature in DER.
  let signature: [UInt8]
  let authenticatorData: [UInt8]
  let authenticator: AuthenticatorData

  init(_ bytes: [UInt8]) throws(AttestationFormatError) {
    let value = try AttestationObjectParser.map(bytes, atMost: Self.maximumBytes, ["signature", "authenticatorData"])
    guard let signature = value["signature"]?.asBytes, let data = value["authenticatorData"]?.asBytes else {
      throw .members("\"signature\" and \"authenticatorData\" with bytes")
    }
    self.signature = signature
    authenticatorData = data
    do throws(CBORError) { authenticator = try .ofAssertion(data) } catch { throw .notCBOR(error) }
  }
}

private enum AttestationObjectParser {
  /// Parses a map with exactly these keys.
  static func map(
    _ bytes: [UInt8], atMost most: Int, _ keys: Set<String>
  ) throws(AttestationFormatError) -> CBORValue {
    guard bytes.count <= most else { throw .tooLarge(most) }
    let value: CBORValue
    do throws(CBORError) { value = try CBORReader.whole(bytes) } catch { throw .notCBOR(error) }
    guard value.textKeys.map(Set.init) == keys else {
      throw .members(keys.sorted().map { "\"\($0)\"" }.joined(separator: ", "))
    }
    return value
  }
}
