internal import Crypto
public import MienPlatform
public import MienCaptures
internal import X509

/// Verifies attestations and assertions of Apple's App Attest, following the steps of "Validating apps that connect to your server"
/// (Apple's DeviceCheck documentation) in order.
public struct AppAttestVerifier: AttestationVerifier {
  private let settings: AppAttestSettings

  public init(_ settings: AppAttestSettings) {
    self.settings = settings
  }

  public func attestedKey(
    in object: [UInt8], keyID: ContentDigest, clientData: [UInt8], at time: UnixTime
  ) async throws(AttestationError) -> AttestedKey {
    let object = try Self.mappingErrors { () throws(AttestationFormatError) in try AttestationObject(object) }
    let leaf = try await CertificateChain(object.certificates).leaf(under: settings.roots, at: time)
    let nonce = Self.nonce(object.authenticatorData, clientData)
    guard NonceExtension.nonce(of: leaf) == nonce else {
      throw AttestationError(
        .nonce,
        "The certificate's nonce does not match: attest the SHA-256 of exactly the client data with this challenge.")
    }
    guard let point = P256.Signing.PublicKey(leaf.publicKey).map({ Array($0.x963Representation) }),
      let key = DeviceKey(bytes: point), ContentDigest(of: point) == keyID
    else { throw AttestationError(.key, "\"key_id\" is not the SHA-256 of the attested key's P-256 point.") }
    let environment = try evaluate(object.authenticator, of: keyID, point: point)
    return AttestedKey(id: keyID, key: key, environment: environment, attested: time)
  }

  public func takes(_ environment: AttestedKey.Environment) -> Bool {
    environment == .production || settings.allowsDevelopment
  }

  public func counter(
    of object: [UInt8], over clientData: [UInt8], by key: AttestedKey
  ) throws(AttestationError) -> Int64 {
    let object = try Self.mappingErrors { () throws(AttestationFormatError) in try AssertionObject(object) }
    // The nonce is signed, and the signature algorithm hashes it once more.
    let nonce = Self.nonce(object.authenticatorData, clientData)
    guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: object.signature),
      let signer = try? P256.Signing.PublicKey(x963Representation: key.key.bytes),
      signer.isValidSignature(signature, for: nonce)
    else {
      throw AttestationError(.signature, "The assertion is not a valid signature of this data by the attested key.")
    }
    guard settings.apps.contains(object.authenticator.app) else { throw Self.otherApp }
    return Int64(object.authenticator.counter)
  }

  /// Verifies the authenticator data step by step and returns the environment.
  private func evaluate(
    _ data: AuthenticatorData, of keyID: ContentDigest, point: [UInt8]
  ) throws(AttestationError) -> AttestedKey.Environment {
    guard settings.apps.contains(data.app) else { throw Self.otherApp }
    guard data.counter == 0 else {
      throw AttestationError(
        .counter, "The counter of an attestation must be 0. Attest a key before it signs assertions.")
    }
    let environment: AttestedKey.Environment
    switch data.credential?.aaguid {
    case Self.production?: environment = .production
    case Self.development?:
      guard takes(.development) else {
        throw AttestationError(
          .environment,
          "This is an attestation of Apple's development environment, which this server does not accept "
            + "(--app-attest-development).")
      }
      environment = .development
    default: throw AttestationError(.environment, "The AAGUID is not one of App Attest's two.")
    }
    guard data.credential?.id == keyID.bytes else {
      throw AttestationError(.credential, "The credential ID is not \"key_id\".")
    }
    guard data.credential?.key.map({ Self.isKey($0, point) }) != false else {
      throw AttestationError(.credential, "The credential's public key is not the certificate's.")
    }
    return environment
  }

  /// Reports whether a COSE_Key (RFC 9053, section 7.1) is this point on P-256.
  private static func isKey(_ key: CBORValue, _ point: [UInt8]) -> Bool {
    key[.number(1)] == .number(2) && key[.number(3)] == .number(-7) && key[.number(-1)] == .number(1)
      && key[.number(-2)] == .bytes(Array(point[1..<33])) && key[.number(-3)] == .bytes(Array(point[33...]))
  }

  private static let production = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
  private static let development = Array("appattestdevelop".utf8)

  private static func nonce(_ authenticatorData: [UInt8], _ clientData: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: authenticatorData + Array(SHA256.hash(data: clientData))))
  }

  private static func mappingErrors<Value>(_ read: () throws(AttestationFormatError) -> Value) throws(AttestationError)
    -> Value
  {
    do throws(AttestationFormatError) { return try read() } catch {
      throw AttestationError(.object, "This is not an App Attest object: \(error.words).")
    }
  }

  private static var otherApp: AttestationError {
    AttestationError(.app, "It belongs to an app that this server does not accept (--app-attest-app).")
  }
}
