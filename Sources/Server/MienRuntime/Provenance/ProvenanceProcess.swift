internal import Foundation
internal import MienAuthenticity
internal import MienProvenance
internal import Subprocess

/// Verifies files in a process of its own each, so that a fault of the C2PA library ends that process and not the server.
struct ProvenanceProcess: Sendable {
  let settings: ProvenanceRequest.Settings
  /// Folder and name of the process's program. `/proc/self/exe` is this program, even if its file has been replaced since
  /// the start.
  var program = (folder: "/proc/self", name: "exe")

  /// Returns the provenance of a file: `failed` if the process ended without a result.
  func verify(_ bytes: [UInt8]) async -> ProvenanceOutcome {
    guard bytes.count <= ProvenanceLimits().bytes else { return .notAssessed(.tooLarge) }
    do {
      let request = try ProvenanceRequest(settings, file: bytes).encoded()
      // Written here and not passed as `.array`: swift-subprocess 1.0.2 ends this program with "FileDescriptor was not
      // closed" if the process ends before it has read all of an array (its issue 367).
      let result = try await Subprocess.run(
        .name(program.name), arguments: [ProvenanceWorker.argument], environment: environment,
        input: .inputWriter, output: .bytes(limit: Self.outcomeBytes), error: .discarded
      ) { execution in
        _ = try await execution.standardInputWriter.write(request)
        try await execution.standardInputWriter.finish()
      }
      guard result.terminationStatus.isSuccess else { return .notAssessed(.failed) }
      return try JSONDecoder().decode(ProvenanceOutcome.self, from: Data(result.standardOutput))
    } catch {
      return .notAssessed(.failed)
    }
  }

  /// Maximum size of an outcome in bytes: what the library reports about a file is limited to as much.
  private static var outcomeBytes: Int { ProvenanceLimits().reportBytes }

  /// Variables of the process: its program is found in `PATH`. It inherits no passwords of the database or the object store.
  private var environment: Environment {
    let own = ProcessInfo.processInfo.environment
    var kept: [Environment.Key: String] = [:]
    kept["PATH"] = program.folder
    kept["LD_LIBRARY_PATH"] = own["LD_LIBRARY_PATH"]
    return .custom(kept)
  }
}
