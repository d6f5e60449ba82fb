internal import SwiftASN1
internal import X509

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
