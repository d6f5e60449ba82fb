/// Why bytes are no attestation or assertion.
enum AttestationFormatError: Error, Hashable, Sendable {
  case notCBOR(CBORError)
  /// It is larger than this many bytes.
  case tooLarge(Int)
  /// It has not just these members, or one of another kind.
  case members(String)
  case otherFormat
  case certificateCount(Int)

  /// What is wrong, within a sentence.
  var words: String {
    switch self {
    case .notCBOR(let fault): "at byte \(fault.byte) \(fault.reason.rawValue)"
    case .tooLarge(let most): "it is larger than \(most) bytes"
    case .members(let members): "it needs just \(members), each of its kind"
    case .otherFormat: "its format is not \"\(AttestationObject.format)\""
    case .certificateCount(let count): "it has \(count) certificates and not 2 to \(AttestationObject.maximumChain)"
    }
  }
}

/// Apple's attestation object, taken apart and not believed: CBOR with the form of WebAuthn (Level 2, section 6.5).
struct AttestationObject {
  static let format = "apple-appattest"
  /// The largest object; Apple's have about 6 KB.
  static let maximumBytes = 32 << 10
  /// The most certificates; Apple sends 2.
  static let maximumChain = 4

  /// DER, the app's key's own first.
  let certificates: [[UInt8]]
  /// What Apple gives to ask about fraud later; nothing here reads it.
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

/// Apple's assertion object, taken apart and not believed.
struct AssertionObject {
  /// The largest object; Apple's have about 150 bytes.
  static let maximumBytes = 4 << 10

  /// DER.
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
  /// A map with just these keys.
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
