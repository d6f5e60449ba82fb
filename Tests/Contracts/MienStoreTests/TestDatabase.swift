import Foundation
import MienCore
import MienPlatform
import MienSecurity
import MienAccess
import MienWebhooks
import MienChecks
import MienCaptures
import MienScanService
import MienMessageService
import MienStore
import MienTestSupport

/// All persistence protocols.
typealias FullStore = CheckStore & APIKeyStore & EnrollmentStore & EncryptedSecretStore & CompatibilitySessionStore
  & ImageStore & LockoutStore & ClipStore & WebhookStore & MessageStore & APIKeyLookup & AuditStore & CaptureStore
  & ScanStore & AccountStore & SnapshotStore & PerformanceStore & AttemptWaitStore & RetentionStore
  & EncryptedColumnStore & HealthCheckable & TemplateStore

/// Opens stores of one kind for tests.
protocol StoreOpener: Sendable {
  associatedtype Store: FullStore
  /// Opens the database of this name, which is created on first use.
  ///
  /// - Parameter server: Server ID; a database for a single server ignores it.
  func open(_ name: String, server: String, keyring: MasterKeyring?) async throws -> Store
  /// Lets time pass for the sign-in attempts that a store has counted, if its own clock measures them.
  func pass(_ interval: Interval, in store: Store) async throws
}

extension StoreOpener {
  func open(_ name: String, keyring: MasterKeyring? = nil) async throws -> Store {
    try await open(name, server: "server", keyring: keyring)
  }
}

/// Kind of database under test.
enum TestDatabase: String, CaseIterable, Sendable {
  case sqlite, postgres

  /// PostgreSQL only if its programs are installed; ``PostgresServer`` reports it otherwise.
  static let available: [TestDatabase] = PostgresServer.isInstalled ? allCases : [.sqlite]

  var opener: any StoreOpener {
    get throws {
      switch self {
      case .sqlite: try SQLiteOpener()
      case .postgres: try PostgresOpener()
      }
    }
  }
}

struct SQLiteOpener: StoreOpener {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-store-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func open(_ name: String, server: String, keyring: MasterKeyring?) throws -> SQLiteStore {
    try SQLiteStore(path: "\(folder)/\(name).sqlite", keyring: keyring)
  }

  func pass(_ interval: Interval, in store: SQLiteStore) {}
}
