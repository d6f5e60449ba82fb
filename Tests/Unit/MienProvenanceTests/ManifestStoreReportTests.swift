import Foundation
import MienAuthenticity
import Testing

@testable import MienProvenance

/// Translation of the library's report into a credential.
@Suite struct `Reports on manifest stores` {
  /// A report on an older manifest: the generator and a program are texts, and the ingredient had been changed.
  private static let older = #"""
    {"active_manifest": "a", "manifests": {
      "a": {"claim_generator": "old/1", "title": "t", "assertions": [
          {"label": "c2pa.actions", "data": {"actions": [
            {"action": "c2pa.opened", "softwareAgent": "Editor", "when": "2024-01-02T03:04:05Z"},
            {"action": "c2pa.edited", "digitalSourceType": "http://example.org/types/compositeCapture"}]}},
          {"label": "stds.exif", "data": [1, 2]}],
        "ingredients": [{"title": "p", "relationship": "parentOf", "active_manifest": "b", "validation_results": {
          "activeManifest": {"failure": [{"code": "assertion.dataHash.mismatch", "url": "self#jumbf=/c2pa/b/c2pa.hash.data"}]}}}],
        "signature_info": {"alg": "Es256", "issuer": "Org", "time": "2024-01-02T03:04:06+00:00"}},
      "b": {"signature_info": {"issuer": "Other Org"}}},
     "validation_results": {"activeManifest": {
        "success": [{"code": "claimSignature.validated"}],
        "failure": [{"code": "assertion.hashedURI.mismatch", "url": "self#jumbf=/c2pa/a/c2pa.assertions/c2pa.actions"}]},
      "ingredientDeltas": [{"validationDeltas": {"failure": [{"code": "ingredient.claimSignature.mismatch"}]}}]},
     "validation_state": "Invalid"}
    """#

  private static func report(_ text: String) throws -> ManifestStoreReport {
    try JSONDecoder().decode(ManifestStoreReport.self, from: Data(text.utf8))
  }

  @Test func `older manifests are read with all their statuses`() throws {
    let credential = try #require(try Self.report(Self.older).credential(limits: ProvenanceLimits(), library: "1"))
    #expect(credential.trust == .invalid)
    #expect(credential.signer?.issuer == "Org" && credential.signedAt == "2024-01-02T03:04:06+00:00")
    #expect(credential.generators == [ContentCredential.Software(name: "old/1")])
    #expect(credential.actions.map(\.name) == ["c2pa.opened", "c2pa.edited"])
    #expect(credential.actions[0].software == ContentCredential.Software(name: "Editor"))
    #expect(credential.sourceTypes == ["compositeCapture"])
    #expect(credential.changed == [.statement("c2pa.actions"), .ingredient])
    #expect(credential.ingredients.map(\.changed) == [[.content]])
    #expect(credential.ingredients.first?.signer?.issuer == "Other Org")
    #expect(credential.validation.map(\.scope) == [.active, .active, .ingredient])
    let outcome = ProvenanceOutcome.credential(credential)
    #expect(try JSONDecoder().decode(ProvenanceOutcome.self, from: JSONEncoder().encode(outcome)) == outcome)
  }

  @Test func `a report beyond the limits is not shortened silently`() throws {
    var limits = ProvenanceLimits()
    limits.statuses = 2
    #expect(try Self.report(Self.older).credential(limits: limits, library: "1") == nil)
    (limits.statuses, limits.entries) = (3, 1)
    #expect(try Self.report(Self.older).credential(limits: limits, library: "1") == nil)
  }

  @Test func `texts are limited`() {
    #expect(String(repeating: "x", count: 400).bounded.count == 400)
    #expect(String(repeating: "x", count: 401).bounded.unicodeScalars.count == 400)
    #expect(("a" + String(repeating: "\u{301}", count: 5000)).bounded.unicodeScalars.count == 400)
  }

  @Test(arguments: [
    (["signingCredential.expired", "signingCredential.untrusted"], ContentCredential.Trust.expired),
    (["claimSignature.outsideValidity"], .expired),
    (["signingCredential.expired", "assertion.dataHash.mismatch"], .invalid),
    (["signingCredential.revoked"], .invalid), ([], .invalid),
  ])
  func `only a certificate out of its validity is expired`(failures: [String], trust: ContentCredential.Trust) {
    #expect(ProvenanceCodes.trust(isTrusted: false, isValid: false, failures: failures) == trust)
    #expect(ProvenanceCodes.trust(isTrusted: true, isValid: false, failures: []) == .trusted)
    #expect(ProvenanceCodes.trust(isTrusted: false, isValid: true, failures: failures) == .untrusted)
  }

  @Test func `failed steps name the changed part`() {
    let part = "self#jumbf=/c2pa/a/c2pa.assertions/c2pa.thumbnail.claim"
    let expected: [(String, ContentCredential.Change?)] = [
      ("assertion.dataHash.mismatch", .content), ("assertion.bmffHash.mismatch", .content),
      ("assertion.boxesHash.mismatch", .content), ("assertion.dataHash.malformed", nil),
      ("assertion.hashedURI.mismatch", .statement("c2pa.thumbnail.claim")),
      ("assertion.missing", .statement("c2pa.thumbnail.claim")), ("claimSignature.mismatch", .claim),
      ("ingredient.manifest.mismatch", .ingredient), ("assertion.ingredient.malformed", .ingredient),
      ("signingCredential.untrusted", nil), ("timeStamp.mismatch", nil), ("", nil),
    ]
    for (code, change) in expected { #expect(ProvenanceCodes.change(code, part: part) == change, "\(code)") }
  }
}
