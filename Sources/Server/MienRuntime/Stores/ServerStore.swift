package import MienPlatform
package import MienSecurity
package import MienAccess
package import MienWebhooks
package import MienChecks
package import MienCaptures
package import MienScanService
package import MienMessageService
package import MienStore

/// Database of one realm.
package protocol ServerStore: CheckStore, APIKeyStore, EnrollmentStore, EncryptedSecretStore, CompatibilitySessionStore,
  ImageStore, LockoutStore, ClipStore, WebhookStore, MessageStore, APIKeyLookup, AuditStore, CaptureStore, ScanStore,
  AccountStore, SnapshotStore, PerformanceStore, RetentionStore, EncryptedColumnStore, HealthCheckable
{
  /// Membership list of the servers that share the database; `nil` if only one server can use it.
  var cluster: (any ClusterStore)? { get }
}

/// Membership list of the servers that share a database.
package protocol ClusterStore: Sendable {
  func join() async throws -> PostgresStore.JoinResult
  func finishJoining() async throws
  func heartbeat() async throws
  func leaveCluster() async throws
  func blobPlace(orElse candidate: BlobID?, isAlone: Bool) async throws -> BlobID?
}

extension SQLiteStore: ServerStore {
  package var cluster: (any ClusterStore)? { nil }
}

extension PostgresStore: ServerStore, ClusterStore {
  package var cluster: (any ClusterStore)? { self }
}
