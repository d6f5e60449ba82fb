import Foundation
import MienService
import MienStorePostgres
import MienStoreSQLite

/// All that a server keeps outside its files, whichever database it is in.
typealias ServerStore = CheckStore & KeyStore & EnrolmentStore & SealedSecretStore & DialectSessionStore & PictureStore
  & SubjectStore & ClipStore & WebhookStore & MessageStore & CaptureStore

/// The stores of a server's two worlds.
struct ServerStores {
  let live: any ServerStore
  let sandbox: any ServerStore

  /// What `--store` takes. A wrong one is never repeated: it may hold a password.
  static let hint = """
    --store takes postgres://user:password@host:port/database. In user and password write @ : / # % as %40 %3A %2F %23 \
    %25; after a question mark libpq's words, pgbouncer=true, connection_limit=1…100 and schema=name are understood.
    """

  /// Opens what `--store` names, else `MIEN_STORE` in the environment, which other users do not see, else the databases in the
  /// folder.
  init(_ text: String?, data: String) async throws {
    // Seals and films lie there with either.
    for space in [Space.live, .sandbox] { try DataFolder.make(DataFolder.of(space, in: data)) }
    guard let text = text ?? ProcessInfo.processInfo.environment["MIEN_STORE"] else {
      live = try DataFolder.store(data)
      sandbox = try DataFolder.store(DataFolder.of(.sandbox, in: data))
      return
    }
    guard let address = PostgresAddress(text) else { throw ToolError(Self.hint) }
    live = try await PostgresStore(address)
    sandbox = try await PostgresStore(address, space: .sandbox)
  }
}
