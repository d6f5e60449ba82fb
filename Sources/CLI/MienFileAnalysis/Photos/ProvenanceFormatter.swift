package import MienAuthenticity

/// Formats the provenance of one file as text lines for the terminal. Texts of the file are shown without control
/// characters.
package enum ProvenanceFormatter {
  package static func lines(_ path: String, _ outcome: ProvenanceOutcome) -> [String] {
    switch outcome {
    case .credential(let credential): [path + ": " + headline(credential)] + details(credential).map { "  " + $0 }
    case .none: [path + ": no content credential"]
    case .elsewhere(let address):
      [path + ": the content credential is elsewhere and was not fetched: " + shown(address)]
    case .unreadable(let reason): [path + ": the content credential cannot be read: " + shown(reason)]
    case .notAssessed(let obstacle): [path + ": not assessed, " + obstacle.rawValue]
    case .notAvailable: [path + ": not available, the C2PA library is not installed"]
    }
  }

  private static func headline(_ credential: ContentCredential) -> String {
    let signer = shown(credential.signer?.commonName ?? credential.signer?.issuer ?? "an unnamed signer")
    let time = credential.signedAt.map { " on " + shown($0) } ?? ""
    switch credential.trust {
    case .trusted: return "signed by \(signer)\(time), unchanged since; the signer is trusted"
    case .untrusted: return "signed in the name of \(signer)\(time), unchanged since; the signer is not on a trust list"
    case .expired: return "signed in the name of \(signer)\(time), unchanged since; the certificate was not valid"
    case .invalid: return "signed in the name of \(signer)\(time); the credential is invalid"
    }
  }

  private static func details(_ credential: ContentCredential) -> [String] {
    var lines: [String] = credential.changed.map { "changed since it was signed: " + text($0) }
    if let signer = credential.signer {
      let parts = [signer.issuer, signer.serial.map { "serial " + $0 }, signer.algorithm].compactMap(\.self)
      lines.append("certificate: " + shown(parts.joined(separator: ", ")))
      lines.append("revocation: " + text(credential.revocation))
    }
    if !credential.generators.isEmpty {
      lines.append("written by: " + shown(credential.generators.map(text).joined(separator: ", ")))
    }
    lines += credential.actions.map { action in
      let parts = [action.name, action.sourceType, action.software.map(text), action.when, action.description]
      return "action: " + shown(parts.compactMap(\.self).joined(separator: ", "))
    }
    lines += credential.ingredients.map { ingredient in
      let signer = ingredient.signer.map { "signed in the name of " + ($0.commonName ?? $0.issuer ?? "?") }
      let parts = [ingredient.relationship, ingredient.title, signer ?? "no credential"].compactMap(\.self)
      let changed = ingredient.changed.isEmpty ? "" : "; changed before it was used"
      return "ingredient: " + shown(parts.joined(separator: ", ")) + changed
    }
    lines += credential.validation.filter { $0.kind == .failure }.map { "failed: " + shown($0.code) }
    return lines
  }

  private static func text(_ revocation: ContentCredential.Revocation) -> String {
    switch revocation {
    case .notChecked: "not checked, since a verification uses no network"
    case .notRevoked: "the file states that the certificate was not revoked"
    case .revoked: "the file states that the certificate was revoked"
    }
  }

  private static func text(_ change: ContentCredential.Change) -> String {
    switch change {
    case .content: "the image"
    case .statement(let label): "the statement " + shown(label)
    case .claim: "the claim or its signature"
    case .ingredient: "an ingredient"
    }
  }

  private static func text(_ software: ContentCredential.Software) -> String {
    software.version.map { software.name + " " + $0 } ?? software.name
  }

  /// Returns a text without control characters, which could rewrite the terminal.
  private static func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
