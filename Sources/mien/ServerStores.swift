import Foundation
import MienService
import MienStorePostgres
import MienStoreSQLite

/// What several servers may share, whichever database it is in.
typealias ServerStore = CheckStore & KeyStore & EnrolmentStore & SealedSecretStore & DialectSessionStore & PictureStore
  & SubjectStore & ClipStore & WebhookStore & MessageStore & KeyRing & AuditStore & CaptureStore & ScanStore
  & AccountStore & SnapshotStore & SealedColumnStore

/// The stores of a server's two worlds.
struct ServerStores {
  let live: any ServerStore
  let sandbox: any ServerStore

  /// What `--store` takes. A wrong one is never repeated: it may hold a password.
  static let hint = """
    --store takes postgres://user:password@host:port/database. In user and password write @ : / # % as %40 %3A %2F %23 \
    %25; after a question mark libpq's words, pgbouncer=true, connection_limit=1…100 and schema=name are understood.
    """

  /// What the environment names, which other users do not see as they see a command's options.
  static var named: String? { ProcessInfo.processInfo.environment["MIEN_STORE"] }

  /// Opens what `--store` names, or the databases in the folder.
  init(_ text: String?, data: String, times: WorkTimes) async throws {
    var dice = SystemRandomNumberGenerator()
    let server = "srv_" + String(UInt64.random(in: 0 ... .max, using: &dice), radix: 36)
    live = try await Self.open(text, .live, data: data, server: server, times: times)
    sandbox = try await Self.open(text, .sandbox, data: data, server: server, times: times)
  }

  /// Opens what `--store` names, else what ``named`` does, else the database in the folder.
  ///
  /// - Parameter server: the name of a server that takes up work; others need none.
  static func open(
    _ text: String?, _ space: Space, data: String, server: String = "none", times: WorkTimes = WorkTimes()
  ) async throws -> any ServerStore {
    let folder = DataFolder.of(space, in: data)
    guard let text = text ?? named else {
      return try DataFolder.store(folder, times: times)
    }
    guard let address = PostgresAddress(text) else { throw ToolError(hint) }
    // Seals, films and files lie there with either.
    try DataFolder.make(folder)
    return try await PostgresStore(
      address, space: space, server: server, seal: try DataFolder.seal(folder), times: times)
  }
}
