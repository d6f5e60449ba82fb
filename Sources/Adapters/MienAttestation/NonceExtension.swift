internal import SwiftASN1
internal import X509

/// The extension in which Apple's certificate of an app's key names what was attested: a sequence that has one octet
/// string, in a tagged field.
enum NonceExtension {
  static let oid: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]

  /// The octet string; nil where there is no such extension, or one of another form.
  static func nonce(of certificate: Certificate) -> [UInt8]? {
    guard let found = certificate.extensions[oid: oid] else { return nil }
    return try? DER.sequence(try DER.parse(found.value), identifier: .sequence) { nodes in
      try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
        Array(try ASN1OctetString(derEncoded: node).bytes)
      }
    }
  }
}
