import ArgumentParser
import MienRuntime

/// App Attest options of `mien serve`: the trusted root certificate and the operator's own apps.
struct AppAttestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Verify App Attest with this root: the certificate of Apple's App Attestation Root CA in PEM.",
      valueName: "file"))
  var appAttestRoot: String?
  @Option(
    help: ArgumentHelp(
      "App ID (team and bundle identifier) to accept, such as TEAMID1234.com.example.app; repeatable.",
      valueName: "app"))
  var appAttestApp: [String] = []
  @Flag(help: "Also accept attestations from Apple's development environment, for testing.")
  var appAttestDevelopment = false

  func validate() throws {
    guard (appAttestRoot == nil) == appAttestApp.isEmpty else {
      throw ValidationError("--app-attest-root and --app-attest-app go together.")
    }
    guard appAttestRoot != nil || !appAttestDevelopment else {
      throw ValidationError("--app-attest-development needs --app-attest-root.")
    }
  }

  /// Settings; `nil` if App Attest is not configured.
  var settings: AttestationSettings? {
    appAttestRoot.map {
      AttestationSettings(root: $0, apps: appAttestApp, allowsDevelopment: appAttestDevelopment)
    }
  }
}
