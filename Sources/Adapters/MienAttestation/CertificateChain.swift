internal import Crypto
internal import Foundation
internal import MienCaptures
internal import MienPlatform
internal import SwiftASN1
@_spi(FixedExpiryValidationTime) internal import X509

/// Unverified certificates of an attestation.
struct CertificateChain {
  private let certificates: [Certificate]

  /// Parses the certificates.
  ///
  /// - Parameter certificates: Certificates in DER, the leaf first; not empty.
  init(_ certificates: [[UInt8]]) throws(AttestationError) {
    do {
      self.certificates = try certificates.map { try Certificate(derEncoded: $0) }
    } catch {
      throw AttestationError(
        .certificate, "A certificate in \"x5c\" is not X.509 in DER; send Apple's object as the device received it.")
    }
  }

  /// Returns the leaf if the chain ends at one of the roots and every certificate is valid at the given time.
  func leaf(under roots: [Certificate], at time: UnixTime) async throws(AttestationError) -> Certificate {
    for certificate in certificates {
      guard Self.isTrusted(certificate.publicKey), Self.algorithms.contains(certificate.signatureAlgorithm) else {
        throw AttestationError(
          .algorithm,
          "A certificate in \"x5c\" does not use ECDSA on P-256 or P-384, as all of Apple's for App Attest do.")
      }
    }
    for certificate in certificates + roots where !certificate.isValid(at: time) {
      throw AttestationError(
        .validity,
        "A certificate of the chain is not valid at the server's time. Attest a new key, or set the server's clock.")
    }
    let date = time.date
    var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
      RFC5280Policy(fixedExpiryValidationTime: date)
      RequireCompleteChainPolicy(count: certificates.count + 1)
    }
    let leaf = certificates[0]
    let result = await verifier.validate(
      leaf: leaf, intermediates: CertificateStore(certificates.dropFirst()))
    guard case .validCertificate = result else {
      throw AttestationError(
        .chain,
        "The certificates do not chain to a root of this server. Check that it has the root of Apple's App Attest.")
    }
    return leaf
  }

  private static let algorithms: Set<Certificate.SignatureAlgorithm> = [.ecdsaWithSHA256, .ecdsaWithSHA384]

  static func isTrusted(_ key: Certificate.PublicKey) -> Bool {
    P256.Signing.PublicKey(key) != nil || P384.Signing.PublicKey(key) != nil
  }
}

/// Policy that requires every certificate that was sent to be part of the chain, and the root not to be among them.
private struct RequireCompleteChainPolicy: VerifierPolicy {
  let count: Int
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

  func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
    chain.count == count ? .meetsPolicy : .failsToMeetPolicy(reason: "a certificate is not part of the chain")
  }
}

extension Certificate {
  func isValid(at time: UnixTime) -> Bool { (notValidBefore...max(notValidBefore, notValidAfter)).contains(time.date) }

  /// `true` if the certificate is a certificate authority.
  var isAuthority: Bool {
    guard case .isCertificateAuthority? = try? extensions.basicConstraints else { return false }
    return true
  }
}

extension UnixTime {
  fileprivate var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

/// Extension in which Apple's certificate of an app's key contains the attested nonce: a sequence with one octet string in a tagged
/// field.
enum NonceExtension {
  static let oid: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]

  /// Returns the octet string, or `nil` if the extension is missing or has another structure.
  static func nonce(of certificate: Certificate) -> [UInt8]? {
    guard let found = certificate.extensions[oid: oid] else { return nil }
    return try? DER.sequence(try DER.parse(found.value), identifier: .sequence) { nodes in
      try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
        Array(try ASN1OctetString(derEncoded: node).bytes)
      }
    }
  }
}
