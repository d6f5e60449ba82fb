import Foundation
import MienService
import MienStorePostgres
import MienStoreSQLite

/// What several servers may share, whichever database it is in.
typealias FullStore = CheckStore & APIKeyStore & EnrollmentStore & EncryptedSecretStore & CompatibilitySessionStore
  & ImageStore
  & LockoutStore & ClipStore & WebhookStore & MessageStore & APIKeyLookup & AuditStore & CaptureStore & ScanStore
  & AccountStore & SnapshotStore & PerformanceStore & RetentionStore & EncryptedColumnStore & HealthCheckable

/// The stores of a server's two worlds.
struct RealmStores {
  let live: any FullStore
  let sandbox: any FullStore
  /// True where the records are in a database of its own and not in the data folder.
  var isElsewhere: Bool { live is PostgresStore }
  /// The folders of the spaces, and what digests their seals had before anything was read of them.
  private let seals: [String: String]

  /// What `--store` takes. A wrong one is never repeated: it may hold a password.
  static let hint = """
    --store takes postgres://user:password@host:port/database. In user and password write @ : / # % as %40 %3A %2F %23 \
    %25; after a question mark libpq's words, pgbouncer=true, connection_limit=1…100, pool_timeout=1…600 and schema=name are understood.
    """

  /// What the environment names, which other users do not see as they see a command's options.
  static var named: String? { ProcessInfo.processInfo.environment["MIEN_STORE"] }

  /// Opens what `--store` names, or the databases in the folder.
  init(_ text: String?, data: String, times: OperationTimings) async throws {
    if let text = text ?? Self.named, PostgresURL(text) == nil { throw CommandError(Self.hint) }
    var seals: [String: String] = [:]
    for folder in Realm.allCases.map({ DataDirectory.of($0, in: data) }) {
      try DataDirectory.make(folder)
      // Makes one where there is none.
      _ = try DataDirectory.keyring(folder)
      seals[folder] = try DataDirectory.keyringDigest(folder)
    }
    self.seals = seals
    var generator = SystemRandomNumberGenerator()
    let server = "srv_" + String(UInt64.random(in: 0 ... .max, using: &generator), radix: 36)
    live = try await Self.open(text, .live, data: data, server: server, times: times)
    sandbox = try await Self.open(text, .sandbox, data: data, server: server, times: times)
  }

  /// Sees that the seals are those that were read, once this server keeps commands from exchanging them.
  ///
  /// A server waits while one is exchanged. It has read the old key by then, which is gone when its turn comes: what it would
  /// seal, nobody could open.
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

  /// True when the database of a space holds what was sealed with a server's key. Looking makes and changes nothing in the folder.
  static func isInUse(_ text: String?, _ space: Realm, folder: String) async throws -> Bool {
    guard let text = text ?? named else {
      let size = try? FileManager.default.attributesOfItem(atPath: folder + "/" + DataDirectory.database)[.size] as? Int
      return (size ?? 0) > 0
    }
    guard let address = PostgresURL(text) else { throw CommandError(hint) }
    return try await PostgresStore.isInUse(at: address, space: space)
  }

  /// Opens what `--store` names, else what ``named`` does, else the database in the folder.
  ///
  /// - Parameter server: the name of a server that takes up work; others need none.
  static func open(
    _ text: String?, _ space: Realm, data: String, server: String = "none", times: OperationTimings = OperationTimings()
  ) async throws -> any FullStore {
    let folder = DataDirectory.of(space, in: data)
    guard let text = text ?? named else {
      return try DataDirectory.store(folder, times: times)
    }
    guard let address = PostgresURL(text) else { throw CommandError(hint) }
    // Seals, films and files lie there with either.
    try DataDirectory.make(folder)
    return try await PostgresStore(
      address, space: space, server: server, keyring: try DataDirectory.keyring(folder), times: times)
  }
}

/// The note in the data folder where its server keeps its records: a command that is not told of the server's `--store` would
/// look at another database, make keys and users where nobody looks, and drop the key that everything is under.
enum StoreLocationFile {
  /// The note's name in the data folder.
  static let name = "store.place"
  /// What is noted of a server with the database in the folder.
  static let embedded = "embedded"

  /// What is noted of a server with this `--store`: neither user nor password.
  static func words(_ store: String?) -> String {
    guard let text = store ?? RealmStores.named, let address = PostgresURL(text) else { return embedded }
    return "PostgreSQL, \(address), schema \(address.schema)"
  }

  /// Where the records are; nil where no server has noted it yet.
  static func read(in data: String) -> String? {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: data + "/" + name)) else { return nil }
    // It is shown: nothing but visible characters.
    let words = String(decoding: bytes.filter { (0x20...0x7e).contains($0) }, as: UTF8.self)
    return words.isEmpty ? nil : words
  }

  /// Notes where the records are, and says so aloud where that is another kind of place than before: somebody may just have
  /// forgotten `--store`.
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

  /// Refuses another kind of store than the server's.
  ///
  /// Only the kind is compared: one database has many addresses. That it is the right one, the key in it must show.
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
