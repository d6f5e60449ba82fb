import Foundation
import MienService
import MienStorePostgres
import MienStoreSQLite

/// All persistence protocols that servers may share, implemented by both databases.
typealias FullStore = CheckStore & APIKeyStore & EnrollmentStore & EncryptedSecretStore & CompatibilitySessionStore
  & ImageStore
  & LockoutStore & ClipStore & WebhookStore & MessageStore & APIKeyLookup & AuditStore & CaptureStore & ScanStore
  & AccountStore & SnapshotStore & PerformanceStore & RetentionStore & EncryptedColumnStore & HealthCheckable

/// Stores of both realms.
struct RealmStores {
  let live: any FullStore
  let sandbox: any FullStore
  /// `true` if the records are in an external database and not in the data folder.
  var isElsewhere: Bool { live is PostgresStore }
  /// Digests of the keyring files by realm folder, taken before any record was read.
  private let seals: [String: String]

  /// Syntax of `--store`. An invalid value is never echoed: it may contain a password.
  static let hint = """
    --store takes postgres://user:password@host:port/database. In user and password write @ : / # % as %40 %3A %2F %23 \
    %25; after a question mark libpq's words, pgbouncer=true, connection_limit=1…100, pool_timeout=1…600 and schema=name are understood.
    """

  /// Value of `MIEN_STORE` in the environment, which is hidden from other users, unlike a command's options.
  static var named: String? { ProcessInfo.processInfo.environment["MIEN_STORE"] }

  /// Opens the database given by `--store` or the environment, else the databases in the folder.
  init(_ text: String?, data: String, times: OperationTimings) async throws {
    if let text = text ?? Self.named, PostgresURL(text) == nil { throw CommandError(Self.hint) }
    var seals: [String: String] = [:]
    for folder in Realm.allCases.map({ DataDirectory.of($0, in: data) }) {
      try DataDirectory.make(folder)
      // Creates the keyring if it does not exist.
      _ = try DataDirectory.keyring(folder)
      seals[folder] = try DataDirectory.keyringDigest(folder)
    }
    self.seals = seals
    var generator = SystemRandomNumberGenerator()
    let server = "srv_" + String(UInt64.random(in: 0 ... .max, using: &generator), radix: 36)
    live = try await Self.open(text, .live, data: data, server: server, times: times)
    sandbox = try await Self.open(text, .sandbox, data: data, server: server, times: times)
  }

  /// Verifies that the keyrings are still the ones that were read. Call it once this server's membership blocks key
  /// rotation.
  ///
  /// A server waits while a key rotation runs. By then it has read the old key, which no longer exists afterwards:
  /// anything it encrypted could not be decrypted.
  func requireSameKeyrings() throws {
    for (folder, digest) in seals {
      guard try DataDirectory.keyringDigest(folder) == digest else {
        throw CommandError(
          """
          \(folder)/\(DataDirectory.keyringName) was exchanged while this server started, which has read the old one. Start it \
          again.
          """)
      }
    }
  }

  /// Returns `true` if a realm's database is in use and thus holds data encrypted with a server's key. Creates and
  /// changes nothing in the folder.
  static func isInUse(_ text: String?, _ space: Realm, folder: String) async throws -> Bool {
    guard let text = text ?? named else {
      let size = try? FileManager.default.attributesOfItem(atPath: folder + "/" + DataDirectory.database)[.size] as? Int
      return (size ?? 0) > 0
    }
    guard let address = PostgresURL(text) else { throw CommandError(hint) }
    return try await PostgresStore.isInUse(at: address, space: space)
  }

  /// Opens the database given by `text`, else by ``named``, else the one in the folder.
  ///
  /// - Parameter server: name of a server that claims jobs; other callers need none.
  static func open(
    _ text: String?, _ space: Realm, data: String, server: String = "none", times: OperationTimings = OperationTimings()
  ) async throws -> any FullStore {
    let folder = DataDirectory.of(space, in: data)
    guard let text = text ?? named else {
      return try DataDirectory.store(folder, times: times)
    }
    guard let address = PostgresURL(text) else { throw CommandError(hint) }
    // Keyrings, videos and uploads are in the folder with either database.
    try DataDirectory.make(folder)
    return try await PostgresStore(
      address, space: space, server: server, keyring: try DataDirectory.keyring(folder), times: times)
  }
}

/// File in the data folder that records the location of the server's records: a command without the server's `--store`
/// would open a different database, create keys and users that no server reads, and replace the master key.
enum StoreLocationFile {
  /// Name of the file in the data folder.
  static let name = "store.place"
  /// Text that stands for the database in the folder.
  static let embedded = "embedded"

  /// Returns the text to record for `--store`: without user and password.
  static func words(_ store: String?) -> String {
    guard let text = store ?? RealmStores.named, let address = PostgresURL(text) else { return embedded }
    return "PostgreSQL, \(address), schema \(address.schema)"
  }

  /// Returns the recorded location, or `nil` if no server has recorded it yet.
  static func read(in data: String) -> String? {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: data + "/" + name)) else { return nil }
    // The text is displayed, so only visible ASCII characters are kept.
    let words = String(decoding: bytes.filter { (0x20...0x7e).contains($0) }, as: UTF8.self)
    return words.isEmpty ? nil : words
  }

  /// Records the location and prints a note if it changes between embedded and external: the operator may have omitted
  /// `--store` by mistake.
  static func write(_ place: String, in data: String) throws {
    let before = read(in: data)
    guard before != place else { return }
    let path = data + "/" + name
    do {
      try Data(place.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CommandError("\(path) cannot be written: \(Terminal.reason(error))")
    }
    try BackupFiles.keep(path)
    try BackupFiles.keep(data)
    if let before, (before == embedded) != (place == embedded) {
      Terminal.note("NOTE: the records of \(data) were kept elsewhere until now: \(before). From now on: \(place).")
    }
  }

  /// Throws if the kind of store differs from the server's.
  ///
  /// Only the kind is compared: one database has many addresses. The master key verifies that it is the right database.
  static func requireSameKind(as place: StoreOptions) throws {
    guard let noted = read(in: place.data), (noted == embedded) == place.isElsewhere else { return }
    guard place.isElsewhere else {
      throw CommandError(
        """
        The server of \(place.data) keeps its records elsewhere, as it has noted in \(name): \(noted). Nothing was \
        changed. Name that database with --store or MIEN_STORE.
        """)
    }
    throw CommandError(
      """
      The server of \(place.data) keeps its records in that folder, as it has noted in \(name), and --store or MIEN_STORE \
      names another place. Nothing was changed. Leave out --store, and unset MIEN_STORE; where the records have moved, \
      start the server there first.
      """)
  }
}
