internal import Foundation
internal import MienAuthenticity
internal import MienFiles
internal import MienPlatform
internal import MienProvenance
internal import MienSecurity
internal import MienServer
internal import MienStore
internal import MienTracking

/// Examination of everything that a server needs: what is missing, and how to fix it.
package struct ServerDiagnostics: Sendable {
  /// Finding about one part.
  package struct Finding: Encodable, Sendable {
    package let part: String
    package let ok: Bool
    package let what: String
  }

  private let data: String
  private let assets: AssetLocation
  private let attestation: AttestationSettings?
  private let provenance: ProvenanceSettings

  /// - Parameters:
  ///   - data: the server's data folder.
  ///   - attestation: configuration of App Attest, which is examined only if there is one.
  ///   - provenance: configuration of content credentials.
  package init(
    data: String, assets: AssetLocation, attestation: AttestationSettings?, provenance: ProvenanceSettings
  ) {
    self.data = data
    self.assets = assets
    self.attestation = attestation
    self.provenance = provenance
  }

  /// Returns the findings; creates and changes nothing.
  package func findings() async -> [Finding] {
    var findings = [
      await tracker(), faceMatch(), photoNetwork(), credentials(), await database(), permissions(), web(),
      tool("ffmpeg"), tool("ffprobe"), openFiles(),
    ]
    // Optional features are checked only if configured.
    if let attestation { findings.append(self.attestation(attestation)) }
    return findings
  }

  private func tracker() async -> Finding {
    let obstacles = await FaceTrackerPool(models: assets.models, engines: 1).obstacles()
    let what =
      obstacles.isEmpty ? "loaded from \(assets.models)" : obstacles.map(assets.text).joined(separator: " ")
    return Finding(
      part: "face models", ok: obstacles.isEmpty, what: obstacles.isEmpty ? what : what + " Run scripts/install-parts.")
  }

  /// A server can do without the recognition model.
  private func faceMatch() -> Finding {
    guard let reason = FaceMatcher.missingModel(in: assets.models) else {
      return Finding(part: "face match", ok: true, what: "loaded from \(assets.models)")
    }
    return Finding(
      part: "face match", ok: true, what: "not available: \(assets.text(reason)) scripts/install-parts installs it.")
  }

  /// A server can do without the network of the texture check, and then misses more recaptures.
  private func photoNetwork() -> Finding {
    guard let reason = TextureNetwork(models: assets.models).missingModel else {
      return Finding(part: "photo network", ok: true, what: "loaded from \(assets.models)")
    }
    return Finding(
      part: "photo network", ok: true, what: "not available: \(assets.text(reason)) scripts/install-parts installs it.")
  }

  /// A server can do without the C2PA library, but not with an unusable trust list.
  private func credentials() -> Finding {
    do {
      let version = try provenance.verifier().version
      return Finding(part: "content credentials", ok: true, what: "c2pa \(version)" + (try signing()))
    } catch let error as ProvenanceLibraryError {
      return Finding(
        part: "content credentials", ok: true,
        what: "not available: \(error.reason). scripts/install-provenance installs it.")
    } catch {
      return Finding(part: "content credentials", ok: false, what: "\(error)")
    }
  }

  /// Tests a key in a file; a key that is stored in the database is tested by the server at startup.
  private func signing() throws -> String {
    guard provenance.signing != nil else { return "" }
    guard let key = try provenance.keyInFile(), let signer = try provenance.signer(key: key) else {
      return "; the key of --provenance-certificate is expected in the database"
    }
    return "; signs as \(signer.signer.commonName ?? signer.signer.issuer ?? "an unnamed signer")"
  }

  private func database() async -> Finding {
    if let named = StoreLocation.fromEnvironment { return await postgres(named) }
    if let noted = StoreLocationFile.read(in: data), noted != StoreLocationFile.embedded {
      return Finding(
        part: "database", ok: true,
        what:
          "not examined: the server of \(data) keeps its records elsewhere (\(noted)), and MIEN_STORE does not name it"
      )
    }
    // The check creates neither a database nor a keyring.
    let path = data + "/" + DataDirectory.database
    guard FileManager.default.fileExists(atPath: path) else {
      return Finding(part: "database", ok: true, what: "none yet; `mien serve` creates \(path)")
    }
    do {
      guard FileManager.default.fileExists(atPath: data + "/" + DataDirectory.keyringName) else {
        // Every server with a keyring stores a signing key encrypted under it.
        let isLost = try await !SQLiteStore(path: path).secrets(.signingKey).isEmpty
        return Finding(
          part: "database", ok: !isLost,
          what: isLost
            ? "\(path) is encrypted, but \(data)/\(DataDirectory.keyringName) is missing; restore it from your backup"
            : "\(path) opens; it has no keyring yet; `mien serve` creates it")
      }
      _ = try SQLiteStore(path: path, keyring: DataDirectory.keyring(data))
      return Finding(part: "database", ok: true, what: "\(path) opens")
    } catch {
      return Finding(part: "database", ok: false, what: "\(error)")
    }
  }

  private func permissions() -> Finding {
    let exposed = DataDirectory.exposedPaths(of: data)
    let isThere = FileManager.default.fileExists(atPath: data)
    let what = isThere ? "\(data) is closed to other users" : "no \(data) yet; `mien serve` creates it"
    return Finding(
      part: "permissions", ok: exposed.isEmpty, what: exposed.isEmpty ? what : exposed.joined(separator: "; "))
  }

  private func postgres(_ named: String) async -> Finding {
    guard let address = PostgresURL(named) else {
      return Finding(
        part: "database", ok: false, what: StoreLocation.hint.replacing("--store takes", with: "MIEN_STORE takes"))
    }
    do {
      let (done, known) = try await PostgresStore.migrations(at: address)
      let schema = "schema \(address.schema)"
      let what =
        switch done {
        case known: "\(schema) is up to date"
        case 0: "it has no \(schema) yet, which `mien serve` creates"
        case ..<known: "`mien serve` brings \(schema) up to date"
        default: "a newer version of Mien wrote \(schema); use that version"
        }
      return Finding(part: "database", ok: done <= known, what: "PostgreSQL, \(address), answers; \(what)")
    } catch {
      return Finding(part: "database", ok: false, what: "\(error)")
    }
  }

  private func attestation(_ settings: AttestationSettings) -> Finding {
    do {
      _ = try settings.verifier()
      return Finding(
        part: "app attest", ok: true, what: "the root is good, for \(settings.apps.joined(separator: ", "))")
    } catch {
      return Finding(part: "app attest", ok: false, what: "\(error)")
    }
  }

  private func openFiles() -> Finding {
    guard let limit = DescriptorLimit.current else {
      return Finding(part: "open files", ok: true, what: "the system does not report a limit")
    }
    // `mien serve` raises the soft limit to the hard limit.
    let most = DescriptorLimit(soft: limit.hard, hard: limit.hard)
    let what = "\(limit.soft) allowed, which `mien serve` raises to \(limit.hard)"
    guard most.isLow else { return Finding(part: "open files", ok: true, what: what) }
    let connections = max(0, most.connections(wanted: .max, open: Self.usuallyOpen))
    return Finding(
      part: "open files", ok: true,
      what: "WARNING: \(what), enough for about \(connections) connections; raise it to \(DescriptorLimit.recommended) "
        + "(ulimit -Hn, or LimitNOFILE in systemd)")
  }

  /// Approximate number of files that a server without connections has open.
  private static let usuallyOpen = 100

  private func web() -> Finding {
    let folder = AssetLocation.web
    let ok = FileManager.default.fileExists(atPath: folder + "/check.html")
    return Finding(
      part: "browser client", ok: ok, what: ok ? folder : "no check.html in \(folder); start here or give --web")
  }

  private func tool(_ name: String) -> Finding {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    return Finding(
      part: name, ok: found != nil, what: found ?? "apt-get install ffmpeg (videos cannot be read without it)")
  }
}

/// Dependencies outside the process that a server monitors for its readiness.
enum ExternalDependencies {
  /// Minimum free disk space in bytes: below it, new data is rejected, because even the database's log could not grow
  /// by much.
  private static let least = 8 << 20

  static func monitor(_ stores: RealmStores, _ blobs: RealmBlobStores, data: String) -> DependencyHealthMonitor {
    let isShared = stores.isShared
    var parts = [ExternalDependency(.database, isVital: true, look: stores[.live].reach)]
    // A full database can still be read.
    if isShared {
      parts.append(ExternalDependency(.databaseStorage, isVital: false, look: stores[.live].checkFreeSpace))
    }
    if let bucket = blobs.bucket { parts.append(ExternalDependency(.objectStore, isVital: false, look: bucket.reach)) }
    // With an external database, checks continue without free disk space; only scans and videos do not.
    parts.append(ExternalDependency(.dataDirectory, isVital: !isShared) { try checkFreeSpace(in: data) })
    return DependencyHealthMonitor(parts, clock: SystemClock())
  }

  private static func checkFreeSpace(in data: String) throws {
    let facts = try FileManager.default.attributesOfFileSystem(forPath: data)
    guard let capacity = facts[.systemFreeSize] as? NSNumber, capacity.int64Value >= least else {
      throw StoreError(.unavailable, reason: "The disk of the data folder is full.")
    }
  }
}
