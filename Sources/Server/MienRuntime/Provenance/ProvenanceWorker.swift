internal import Foundation
internal import MienAuthenticity
internal import MienProvenance
internal import Subprocess

#if canImport(Glibc)
  internal import Glibc
#endif
internal import Foundation
internal import MienAuthenticity
internal import MienProvenance

/// Process that verifies one file: the program with one argument. It reads a ``ProvenanceRequest``, writes the outcome as JSON, and
/// ends.
///
/// The C2PA library parses untrusted files. A crash in it ends only this process, which holds nothing but the file: no key, no
/// connection and no other person's data.
package enum ProvenanceWorker {
  /// The only argument of the process.
  package static let argument = "provenance-worker"

  /// Seconds after which the process is ended by the system; a verification stops itself after 10.
  private static let seconds: UInt32 = 30
  private static let processorSeconds = 20
  /// Address space in bytes: the program and its libraries, and several copies of the largest file.
  private static let memory = 4 << 30

  /// Runs the process.
  package static func run() -> Never {
    limit()
    do {
      let request = try ProvenanceRequest(encoded: [UInt8](FileHandle.standardInput.readDataToEndOfFile()))
      let settings = request.settings
      let verifier = try ProvenanceVerifier(
        library: settings.library, trustLists: settings.trustLists, clock: SystemClock().now)
      try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(verifier.verify(request.file)))
      _exit(0)
    } catch {
      _exit(1)
    }
  }

  private static func limit() {
    #if canImport(Glibc)
      _ = alarm(seconds)
      set(RLIMIT_CPU, to: processorSeconds)
      set(RLIMIT_AS, to: memory)
      // A core file would contain the photo. The process writes no file at all.
      set(RLIMIT_CORE, to: 0)
      set(RLIMIT_FSIZE, to: 0)
    #endif
  }

  #if canImport(Glibc)
    private static func set(_ resource: __rlimit_resource, to value: Int) {
      var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
      _ = unsafe setrlimit(CInt(resource.rawValue), &limit)
    }
  #endif
}

/// Work for ``ProvenanceWorker``: a file to verify, with the trust lists to verify it with.
///
/// Encoded as the length of the JSON in four bytes, most significant first, the JSON, and the file.
struct ProvenanceRequest: Equatable {
  struct Settings: Codable, Equatable {
    /// Path of the C2PA library.
    let library: String
    /// Contents of files with trust anchors in PEM.
    let trustLists: [String]
  }

  let settings: Settings
  let file: [UInt8]

  init(_ settings: Settings, file: [UInt8]) {
    (self.settings, self.file) = (settings, file)
  }

  /// Returns the request in a form that ``init(encoded:)`` reads.
  func encoded() throws -> [UInt8] {
    let json = try JSONEncoder().encode(settings)
    return (0..<4).map { UInt8(truncatingIfNeeded: json.count >> (24 - 8 * $0)) } + json + file
  }

  /// - Throws: `DecodingError` for other bytes.
  init(encoded bytes: [UInt8]) throws {
    let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= 4, bytes.count - 4 >= length else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "the request is cut short"))
    }
    settings = try JSONDecoder().decode(Settings.self, from: Data(bytes[4..<4 + length]))
    file = Array(bytes[(4 + length)...])
  }
}

/// Verifies files with marks of a credential in a separate process each, so that a crash in the C2PA library ends that process and not the server.
struct ProvenanceProcess: Sendable {
  let settings: ProvenanceRequest.Settings
  /// Folder and name of the process's program. `/proc/self/exe` is this program, even if its file has been replaced since
  /// the start.
  var program = (folder: "/proc/self", name: "exe")

  /// Returns the provenance of a file: `failed` if the process ended without a result.
  ///
  /// Most photos have no credential, and the start of a process takes longer than the search for marks of one.
  func verify(_ bytes: [UInt8]) async -> ProvenanceOutcome {
    if let outcome = ProvenanceVerifier.outcomeWithoutLibrary(of: bytes) { return outcome }
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
