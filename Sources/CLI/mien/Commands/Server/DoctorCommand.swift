import ArgumentParser
import MienFiles
import MienRuntime

/// `mien doctor`: checks that all required components are present and explains how to fix what is missing.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check that all dependencies are installed; exit 0 if so, 1 otherwise."
  )

  @Flag(help: "Print the findings as JSON.")
  var json = false
  @Option(help: "The server's data folder.")
  var data = "data"
  @OptionGroup var assets: AssetOptions
  @OptionGroup(title: "App Attest") var attest: AppAttestOptions
  @OptionGroup(title: "Content credentials") var provenance: ProvenanceOptions

  func run() async throws {
    try await Terminal.reporting {
      let findings = await ServerDiagnostics(
        data: data, assets: assets.location, attestation: attest.settings, provenance: provenance.settings
      ).findings()
      if json {
        try Terminal.say(try JSONText.make(findings))
      } else {
        for finding in findings {
          try Terminal.say("\(finding.ok ? "ok     " : "MISSING") \(finding.part): \(finding.what)")
        }
      }
      guard findings.allSatisfy(\.ok) else { throw ExitCode(1) }
    }
  }
}
