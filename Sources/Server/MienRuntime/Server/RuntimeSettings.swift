internal import Foundation
internal import MienAttestation
package import MienCaptures
package import MienChecks
internal import MienFiles
package import MienMessageService
package import MienScanService
package import MienServer

/// Settings of a server with everything that it runs.
package struct RuntimeSettings: Sendable {
  /// Location of the records.
  package var store: StoreLocation
  /// URL of the object store with the files of captures and scans; `nil` for the environment's, or the data folder.
  package var blobs: String?
  package var assets: AssetLocation
  /// Number of frames that are processed in parallel; `nil` for one per core.
  package var engines: Int?
  /// HTTP interface. Its certificate, exporter and access log are set from the other settings.
  package var http = ServerSettings()
  /// Certificate for TLS; `nil` serves plain HTTP.
  package var tls: TLSFiles?
  /// `true` to log a line per request.
  package var logsRequests = false
  // Settings of the services of each realm, which differ in the realm only.
  package var checks = ServiceSettings()
  package var messages = MessageSettings()
  package var captures = CaptureSettings()
  package var scans = ScanSettings()
  /// Sustained rate of requests per second and API key; `nil` for no limit.
  package var requestsPerKey: Int?
  /// `true` to encode the requested clips of checks on this server; otherwise they are reported as failed.
  package var encodesClips = true
  /// Verification of App Attest; `nil` for none.
  package var attestation: AttestationSettings?
  /// Verification of content credentials.
  package var provenance = ProvenanceSettings()
  /// Export of traces; `nil` for none.
  package var tracing: TracingSettings?

  package init(store: StoreLocation, assets: AssetLocation) {
    self.store = store
    self.assets = assets
  }
}

/// Files of a TLS certificate, which are read again when they change.
package struct TLSFiles: Sendable {
  let certificate: String
  let key: String

  /// - Parameters:
  ///   - certificate: certificate chain in PEM.
  ///   - key: private key in PEM.
  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}

/// Settings of the export of traces.
package struct TracingSettings: Sendable {
  let endpoint: OTLPEndpoint
  let oneIn: Int
  let version: String

  /// - Parameters:
  ///   - oneIn: number of requests of which one is traced.
  ///   - version: version of the program, which is exported with the traces.
  package init(endpoint: OTLPEndpoint, oneIn: Int, version: String) {
    self.endpoint = endpoint
    self.oneIn = oneIn
    self.version = version
  }
}

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
