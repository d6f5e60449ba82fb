internal import Foundation
internal import MienAttestation
internal import MienFiles
package import MienCaptures

/// Settings of App Attest: the trusted root certificate and the operator's own apps.
package struct AttestationSettings: Sendable {
  /// Path of the root certificate in PEM.
  private let root: String
  /// IDs of the accepted apps.
  let apps: [String]
  private let allowsDevelopment: Bool

  package init(root: String, apps: [String], allowsDevelopment: Bool) {
    self.root = root
    self.apps = apps
    self.allowsDevelopment = allowsDevelopment
  }

  /// Returns the verifier.
  ///
  /// - Throws: ``OperationError`` for an unusable certificate file or app identifier.
  package func verifier() throws -> any AttestationVerifier {
    guard let bytes = FileManager.default.contents(atPath: root) else {
      throw OperationError("--app-attest-root: \(root) cannot be read.")
    }
    do {
      return AppAttestVerifier(
        try AppAttestSettings(
          rootPEM: String(decoding: bytes, as: UTF8.self), apps: apps, allowsDevelopment: allowsDevelopment,
          at: SystemClock().timeOfDay()))
    } catch let error as AppAttestSettingsError {
      throw OperationError("\(error.code == .badApp ? "--app-attest-app" : "--app-attest-root \(root)"): \(error)")
    }
  }
}
