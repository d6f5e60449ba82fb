import MienAuthenticity
import Testing

/// Revocation according to the status codes of a validation.
@Suite struct `Revocation of a signer's certificate` {
  @Test(arguments: [
    (["claimSignature.validated", "signingCredential.trusted"], ContentCredential.Revocation.notChecked),
    (["signingCredential.ocsp.skipped"], .notChecked), (["signingCredential.ocsp.inaccessible"], .notChecked),
    (["signingCredential.ocsp.unknown"], .notChecked), (["signingCredential.ocsp.notRevoked"], .notRevoked),
    (["signingCredential.ocsp.notRevoked", "signingCredential.ocsp.revoked"], .revoked), ([], .notChecked),
  ])
  func `is only stated if the file contains a statement`(_ codes: [String], _ expected: ContentCredential.Revocation) {
    #expect(ProvenanceCodes.revocation(codes) == expected)
  }
}
