#if canImport(Glibc)
  internal import Glibc
#endif
internal import Foundation
internal import MienAuthenticity
internal import MienProvenance

/// Process that verifies one file: the program with one argument. It reads a ``ProvenanceRequest``, writes the outcome as JSON, and
/// ends.
///
/// The C2PA library parses what anyone sends. Its faults end this process, which holds nothing but the file: no key, no connection
/// and no other person's data.
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
