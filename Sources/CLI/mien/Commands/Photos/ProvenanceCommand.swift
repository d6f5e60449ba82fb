import ArgumentParser
import MienAuthenticity
import MienFileAnalysis
import MienFiles
import MienProvenance
import MienRuntime

/// `mien provenance`: reads the content credentials of photos.
struct ProvenanceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provenance", abstract: "Read who signed a photo, when, and what changed since.",
    discussion: """
      Reads content credentials (C2PA) without using the network. A credential states who signed what; it does not show that a \
      photo is genuine, and a photo without one is not suspect (Documentation/guides/Photos.md). Exit status: 0 all files \
      read, whatever was found; 2 a file cannot be read; 64 usage error.
      """)

  @Argument(help: "Image files.", completion: .file())
  var files: [String]
  @Option(
    help: "Certificates (PEM) of the issuers to trust; repeatable. Without it, no signer is trusted.",
    completion: .file())
  var trust: [String] = []
  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Give at least one file.") }
  }

  func run() async throws {
    try await Terminal.reporting {
      let verifier = try self.verifier()
      var failed = false
      for file in files {
        do {
          let bytes = try InputFile.bytes(file)
          let outcome = verifier?.verify(bytes) ?? .notAvailable
          if json {
            try Terminal.say(JSONText.make(Reply(path: file, provenance: outcome)))
          } else {
            for line in ProvenanceFormatter.lines(file, outcome) { try Terminal.say(line) }
          }
        } catch let error as OperationError where files.count > 1 {
          Terminal.note("\(error)")
          failed = true
        }
      }
      if failed { throw ExitCode(2) }
    }
  }

  /// Returns the verifier; `nil` without the C2PA library.
  private func verifier() throws -> ProvenanceVerifier? {
    do {
      return try ProvenanceSettings(trustLists: trust).verifier()
    } catch let error as ProvenanceLibraryError {
      Terminal.note("NOTE: \(error.reason). Run scripts/install-provenance.")
      return nil
    }
  }

  private struct Reply: Encodable {
    let path: String
    let provenance: ProvenanceOutcome
  }
}
