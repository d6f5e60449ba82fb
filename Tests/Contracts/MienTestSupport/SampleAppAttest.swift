internal import Crypto
internal import Foundation
public import MienPlatform
internal import SwiftASN1
internal import X509

/// Minimal counterpart of Apple's App Attest service: test root, intermediate authority and certificates for app keys.
public struct SampleAppAttest: Sendable {
  /// App ID used by the tests.
  public static let app = "TEAM123456.com.example.mien"
  public static let production = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
  public static let development = Array("appattestdevelop".utf8)

  private let root: Certificate
  private let authority: Certificate
  private let authorityKey = P384.Signing.PrivateKey()
  /// Issue time of key certificates, one day after those of the authorities.
  public let time: UnixTime

  /// - Parameters:
  ///   - time: start of the one-year validity of key certificates; the authorities are issued a day earlier, for ten
  ///     years.
  ///   - authorityDays: validity of the intermediate authority in days.
  ///   - isAuthority: `true` if the intermediate certificate may sign others.
  public init(at time: UnixTime, authorityDays: Double = 3650, isAuthority: Bool = true) throws {
    self.time = time
    let rootKey = P384.Signing.PrivateKey()
    let start = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000 - 86_400)
    let names = try ["Sample Root CA", "Sample CA 1"].map { name in try DistinguishedName { CommonName(name) } }
    root = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: .init(rootKey.publicKey), notValidBefore: start,
      notValidAfter: start + 3650 * 86_400, issuer: names[0], subject: names[0], signatureAlgorithm: .ecdsaWithSHA384,
      extensions: Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      }, issuerPrivateKey: .init(rootKey))
    authority = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: .init(authorityKey.publicKey), notValidBefore: start,
      notValidAfter: start + authorityDays * 86_400, issuer: names[0], subject: names[1],
      signatureAlgorithm: .ecdsaWithSHA384,
      extensions: Certificate.Extensions {
        Critical(
          isAuthority
            ? BasicConstraints.isCertificateAuthority(maxPathLength: 0) : BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(keyCertSign: true))
      }, issuerPrivateKey: .init(rootKey))
  }

  /// Root certificate in PEM.
  public var rootPEM: String {
    get throws { try root.serializeAsPEM().pemString + "\n" }
  }

  /// Variations of an attestation, including invalid ones.
  public struct Form: Sendable {
    public var app = SampleAppAttest.app
    public var format = "apple-appattest"
    public var counter: UInt32 = 0
    public var aaguid = SampleAppAttest.production
    /// Credential ID; `nil` for the key's own.
    public var credential: [UInt8]?
    /// Nonce; `nil` for the correct one.
    public var nonce: [UInt8]?
    /// Value of the certificate extension; `nil` for the one with the nonce.
    public var nonceExtension: [UInt8]?
    /// Bytes after the credential ID; `nil` for the key as a COSE_Key.
    public var behindCredential: [UInt8]?
    /// Validity in days from the time of this authority.
    public var validDays = 0.0...365.0
    /// Certificates appended after the leaf and the authority.
    public var moreCertificates: [[UInt8]] = []
    public var sendsAuthority = true
    /// Certificate that replaces the leaf.
    public var leaf: [UInt8]?

    public init() {}
  }

  /// Returns an attestation of a key over client data.
  public func attestation(
    of key: SampleAppKey, over clientData: [UInt8], _ form: Form = Form()
  ) throws -> [UInt8] {
    var data = Array(SHA256.hash(data: Array(form.app.utf8))) + [0x40]
    data += (0..<4).reversed().map { UInt8(truncatingIfNeeded: form.counter >> UInt32(8 * $0)) }
    let credential = form.credential ?? key.id
    data += form.aaguid + [UInt8(credential.count >> 8), UInt8(credential.count & 255)] + credential
    data += form.behindCredential ?? key.cose
    let nonce = form.nonce ?? Array(SHA256.hash(data: data + Array(SHA256.hash(data: clientData))))
    let leaf = try form.leaf ?? certificate(of: key, nonce: nonce, form)
    let chain = [leaf] + (form.sendsAuthority ? [try Self.der(authority)] : []) + form.moreCertificates
    return SampleCBOR.map([
      (SampleCBOR.text("fmt"), SampleCBOR.text(form.format)),
      (
        SampleCBOR.text("attStmt"),
        SampleCBOR.map([
          (SampleCBOR.text("x5c"), SampleCBOR.array(chain.map(SampleCBOR.bytes))),
          (SampleCBOR.text("receipt"), SampleCBOR.bytes([UInt8](repeating: 7, count: 40))),
        ])
      ), (SampleCBOR.text("authData"), SampleCBOR.bytes(data)),
    ])
  }

  private func certificate(of key: SampleAppKey, nonce: [UInt8], _ form: Form) throws -> [UInt8] {
    let start = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
    // A sequence with the octet string in a field with tag 1.
    let value = form.nonceExtension ?? [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + nonce
    return try Self.der(
      Certificate(
        version: .v3, serialNumber: .init(), publicKey: .init(key.key.publicKey),
        notValidBefore: start + form.validDays.lowerBound * 86_400,
        notValidAfter: start + form.validDays.upperBound * 86_400, issuer: authority.subject,
        subject: DistinguishedName { CommonName("a key") }, signatureAlgorithm: .ecdsaWithSHA256,
        extensions: Certificate.Extensions {
          Critical(BasicConstraints.notCertificateAuthority)
          Critical(KeyUsage(digitalSignature: true))
          Certificate.Extension(oid: [1, 2, 840, 113635, 100, 8, 2], critical: false, value: value[...])
        }, issuerPrivateKey: .init(authorityKey)))
  }

  private static func der(_ certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }
}

/// App key in memory.
public struct SampleAppKey: Sendable {
  let key = P256.Signing.PrivateKey()

  public init() {}

  /// Public key in uncompressed form: 4, x, y.
  public var point: [UInt8] { Array(key.publicKey.x963Representation) }
  /// Key ID: SHA-256 of the point.
  public var id: [UInt8] { Array(SHA256.hash(data: point)) }
  /// Public key as a COSE_Key.
  public var cose: [UInt8] {
    SampleCBOR.map([
      (SampleCBOR.number(1), SampleCBOR.number(2)), (SampleCBOR.number(3), SampleCBOR.number(-7)),
      (SampleCBOR.number(-1), SampleCBOR.number(1)), (SampleCBOR.number(-2), SampleCBOR.bytes(Array(point[1..<33]))),
      (SampleCBOR.number(-3), SampleCBOR.bytes(Array(point[33...]))),
    ])
  }

  /// Returns an assertion over client data.
  public func assertion(
    over clientData: [UInt8], counter: UInt32, app: String = SampleAppAttest.app, behind: [UInt8] = []
  ) throws -> [UInt8] {
    var data = Array(SHA256.hash(data: Array(app.utf8))) + [0x40]
    data += (0..<4).reversed().map { UInt8(truncatingIfNeeded: counter >> UInt32(8 * $0)) }
    data += behind
    let nonce = Array(SHA256.hash(data: data + Array(SHA256.hash(data: clientData))))
    let signature = try key.signature(for: nonce)
    return SampleCBOR.map([
      (SampleCBOR.text("signature"), SampleCBOR.bytes(Array(signature.derRepresentation))),
      (SampleCBOR.text("authenticatorData"), SampleCBOR.bytes(data)),
    ])
  }
}
