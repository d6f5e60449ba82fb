import ArgumentParser
import Foundation
import MienCore
import MienServer
import MienService
import MienStorePostgres
import MienStoreSQLite
import MienTracking

/// `mien doctor`: checks that all required components are present and explains how to fix what is missing.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check that all dependencies are installed; exit 0 if so, 1 otherwise."
  )

  @Flag(help: "Print the findings as JSON.")
  var json = false
  @Option(help: "The server's data folder.")
  var data = "data"
  @OptionGroup var places: AssetOptions
  @OptionGroup(title: "App Attest") var attest: AppAttestOptions

  private struct Line: Encodable {
    let part: String
    let ok: Bool
    let what: String
  }

  func run() async throws {
    try await Terminal.reporting { try await look() }
  }

  private func look() async throws {
    var lines = [
      await tracker(), await database(), permissions(), web(), tool("ffmpeg"), tool("ffprobe"), openFiles(),
    ]
    // Optional features are checked only if configured.
    if attest.appAttestRoot != nil { lines.append(attestation()) }
    if json {
      try Terminal.say(try JSONText.make(lines))
    } else {
      for line in lines { try Terminal.say("\(line.ok ? "ok     " : "MISSING") \(line.part): \(line.what)") }
    }
    guard lines.allSatisfy(\.ok) else { throw ExitCode(1) }
  }

  private func tracker() async -> Line {
    let obstacles = await FaceTrackerPool(models: places.modelFolder, engines: 1).obstacles()
    let what =
      obstacles.isEmpty ? "loaded from \(places.modelFolder)" : obstacles.map(places.words).joined(separator: " ")
    return Line(
      part: "face models", ok: obstacles.isEmpty, what: obstacles.isEmpty ? what : what + " Run scripts/install-parts.")
  }

  private func database() async -> Line {
    if let named = RealmStores.named { return await postgres(named) }
    if let noted = StoreLocationFile.read(in: data), noted != StoreLocationFile.embedded {
      return Line(
        part: "database", ok: true,
        what:
          "not looked at: the server of \(data) keeps its records elsewhere (\(noted)), and MIEN_STORE does not name it"
      )
    }
    // The check creates neither a database nor a keyring.
    let path = data + "/" + DataDirectory.database
    guard FileManager.default.fileExists(atPath: path) else {
      return Line(part: "database", ok: true, what: "none yet; `mien serve` makes \(path)")
    }
    do {
      guard FileManager.default.fileExists(atPath: data + "/" + DataDirectory.keyringName) else {
        // Every server with a keyring stores a signing key encrypted under it.
        let isLost = try await !SQLiteStore(path: path).secrets(.signingKey).isEmpty
        return Line(
          part: "database", ok: !isLost,
          what: isLost
            ? "\(path) is sealed, and \(data)/\(DataDirectory.keyringName) is not there; restore it from where you keep it"
            : "\(path) opens; it has no seal yet, which `mien serve` makes")
      }
      let keyring = try DataDirectory.keyring(data)
      let store = try SQLiteStore(path: path, keyring: keyring)
      // Not an error: a server encrypts the remaining values in the background.
      let open = try await ColumnReencryptionJob(store, keyring: keyring).left()
      let rest = open == 0 ? "" : "; \(open) values are not sealed under its newest key yet, which `mien serve` does"
      return Line(part: "database", ok: true, what: "\(path) opens\(rest)")
    } catch {
      return Line(part: "database", ok: false, what: "\(error)")
    }
  }

  private func permissions() -> Line {
    let exposed = DataDirectory.exposedPaths(of: data)
    let isThere = FileManager.default.fileExists(atPath: data)
    let what = isThere ? "\(data) is closed to other users" : "no \(data) yet; `mien serve` makes it"
    return Line(
      part: "permissions", ok: exposed.isEmpty, what: exposed.isEmpty ? what : exposed.joined(separator: "; "))
  }

  private func postgres(_ named: String) async -> Line {
    guard let address = PostgresURL(named) else {
      return Line(
        part: "database", ok: false, what: RealmStores.hint.replacing("--store takes", with: "MIEN_STORE takes"))
    }
    do {
      let (done, known) = try await PostgresStore.migrations(at: address)
      let schema = "schema \(address.schema)"
      let what =
        switch done {
        case known: "\(schema) is up to date"
        case 0: "it has no \(schema) yet, which `mien serve` makes"
        case ..<known: "`mien serve` brings \(schema) up to date"
        default: "a newer version of Mien wrote \(schema); use that version"
        }
      return Line(part: "database", ok: done <= known, what: "PostgreSQL, \(address), answers; \(what)")
    } catch {
      return Line(part: "database", ok: false, what: "\(error)")
    }
  }

  private func attestation() -> Line {
    do {
      _ = try attest.verifier()
      return Line(
        part: "app attest", ok: true, what: "the root is good, for \(attest.appAttestApp.joined(separator: ", "))")
    } catch {
      return Line(part: "app attest", ok: false, what: "\(error)")
    }
  }

  private func openFiles() -> Line {
    guard let limit = DescriptorLimit.current else {
      return Line(part: "open files", ok: true, what: "the system does not report a limit")
    }
    // `mien serve` raises the soft limit to the hard limit.
    let most = DescriptorLimit(soft: limit.hard, hard: limit.hard)
    let what = "\(limit.soft) allowed, which `mien serve` raises to \(limit.hard)"
    guard most.isLow else { return Line(part: "open files", ok: true, what: what) }
    let connections = max(0, most.connections(wanted: .max, open: Self.usuallyOpen))
    return Line(
      part: "open files", ok: true,
      what: "WARNING: \(what), enough for about \(connections) connections; raise it to \(DescriptorLimit.recommended) "
        + "(ulimit -Hn, or LimitNOFILE in systemd)")
  }

  /// Approximate number of files that a server without connections has open.
  private static let usuallyOpen = 100

  private func web() -> Line {
    let folder = AssetOptions.find("Web")
    let ok = FileManager.default.fileExists(atPath: folder + "/check.html")
    return Line(
      part: "browser client", ok: ok, what: ok ? folder : "no check.html in \(folder); start here or give --web")
  }

  private func tool(_ name: String) -> Line {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    return Line(
      part: name, ok: found != nil, what: found ?? "apt-get install ffmpeg (videos cannot be read without it)")
  }
}
