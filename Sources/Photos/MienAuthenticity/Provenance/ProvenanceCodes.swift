/// Interpretation of the status codes of C2PA 2.x (section 15.2, "Returning validation results").
public enum ProvenanceCodes {
  /// Failures that concern the signer only, not what was signed.
  private static let credentialOnly: Set<String> = ["signingCredential.untrusted", "signingCredential.expired"]
  /// Failures that mean that the certificate was not valid at the time of the signature.
  private static let expiry: Set<String> = ["signingCredential.expired", "claimSignature.outsideValidity"]

  /// Returns the trust in a manifest.
  ///
  /// - Parameters:
  ///   - isTrusted: `true` if validation succeeded and an anchor issued the signer's certificate.
  ///   - failures: the codes of the failed steps for the active manifest.
  ///   - isValid: `true` if validation succeeded apart from the anchor.
  public static func trust(isTrusted: Bool, isValid: Bool, failures: some Sequence<String>) -> ContentCredential.Trust {
    if isTrusted { return .trusted }
    if isValid { return .untrusted }
    let failures = Set(failures)
    let isIntact = failures.isSubset(of: credentialOnly.union(expiry))
    return isIntact && !failures.isDisjoint(with: expiry) ? .expired : .invalid
  }

  /// Returns the revocation status of the signer's certificate according to the codes of an active manifest. OCSP
  /// responses in the file are validated, and none is fetched.
  public static func revocation(_ codes: some Sequence<String>) -> ContentCredential.Revocation {
    let codes = Set(codes)
    if codes.contains("signingCredential.ocsp.revoked") || codes.contains("signingCredential.revoked") {
      return .revoked
    }
    let isConfirmed =
      codes.contains("signingCredential.ocsp.notRevoked") || codes.contains("signingCredential.notRevoked")
    return isConfirmed ? .notRevoked : .notChecked
  }

  /// Returns the part that a failed step shows to be changed; `nil` if the step concerns no part, for example the signer's
  /// certificate.
  ///
  /// - Parameters:
  ///   - code: validation status code of the C2PA specification.
  ///   - part: address of the part of the manifest store.
  public static func change(_ code: String, part: String?) -> ContentCredential.Change? {
    let words = code.split(separator: ".")
    guard let first = words.first, let last = words.last else { return nil }
    switch first {
    case "assertion" where words.count > 2 && words[1].hasSuffix("Hash"):
      return last == "mismatch" ? .content : nil
    case "assertion" where words.count > 2 && words[1] == "ingredient": return .ingredient
    case "assertion" where ["mismatch", "missing", "inaccessible", "undeclared"].contains(last):
      return .statement(label(of: part))
    case "claimSignature", "claim": return ["mismatch", "missing"].contains(last) ? .claim : nil
    case "ingredient": return .ingredient
    default: return nil
    }
  }

  /// Returns the changed parts of several failed steps, each once.
  public static func changes(
    _ failures: some Sequence<(code: String, part: String?)>
  ) -> [ContentCredential.Change] {
    failures.compactMap { change($0.code, part: $0.part) }.reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    }
  }

  /// Returns the last component of an address, which is the label of a statement.
  private static func label(of part: String?) -> String { part?.split(separator: "/").last.map(String.init) ?? "" }
}
