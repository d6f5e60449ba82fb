import Foundation
import MienCore
import MienSecurity
import MienAccess
import MienStore
import MienTestSupport
import Testing

/// Contract that every store fulfills.
enum StoreContract: String, CaseIterable, Sendable {
  case checks, snapshots, apiKeys, apiKeyLookup, accounts, signInAttempts, health, audit, enrollments, secrets,
    compatibilitySessions, lockouts, clips, webhooks, messages, messagesOfTwoServers, attemptWaits, retention,
    performances, captures,
    scans, erasure, lists, images, templates, encryptedColumns

  /// Contracts of data that is encrypted with a keyring.
  static let encrypted: [StoreContract] = [
    .checks, .snapshots, .enrollments, .clips, .images, .lists, .captures, .scans, .webhooks, .compatibilitySessions,
    .templates,
  ]

  func check(_ opener: some StoreOpener, keyring: MasterKeyring? = nil) async throws {
    func open() async throws -> some FullStore { try await opener.open("main", keyring: keyring) }
    var count = 0
    func openNext() async throws -> some FullStore {
      count += 1
      return try await opener.open("main", server: "server-\(count)", keyring: keyring)
    }
    func openSeparate() async throws -> some FullStore {
      count += 1
      return try await opener.open("separate\(count)", keyring: keyring)
    }
    switch self {
    case .checks: try await checkCheckStore { try await open() }
    case .snapshots: try await checkSnapshotStore { try await openNext() }
    case .apiKeys: try await checkAPIKeyStore { try await open() }
    case .apiKeyLookup: try await checkAPIKeyLookup { try await open() }
    case .accounts: try await checkAccountStore { try await open() }
    case .signInAttempts:
      try await checkTries {
        try await opener.open("main", keyring: keyring)
      } passing: {
        try await opener.pass($1, in: $0)
      }
    case .health:
      let store = try await open()
      try await checkHealthCheckable(store) { try await store.accounts().count }
    case .audit: try await checkAuditStore { try await open() }
    case .enrollments: try await checkEnrollmentStore { try await open() }
    case .secrets: try await checkEncryptedSecretStore { try await open() }
    case .compatibilitySessions: try await checkCompatibilitySessionStore { try await open() }
    case .lockouts: try await checkLockoutStore { try await open() }
    case .clips: try await checkClipStore { try await open() }
    case .webhooks: try await checkWebhookStore { try await open() }
    case .messages:
      try await checkMessageStore { try await open() }
      try await checkParallelAttempts { try await openSeparate() }
      try await checkMessageExpiry { try await openSeparate() }
    case .messagesOfTwoServers:
      // Of two servers on one database, only one takes the last attempt of a message.
      try await checkParallelAttempts { TwoStores(first: try await openNext(), second: try await openNext()) }
    case .attemptWaits: try await checkAttemptWaitStore { try await openNext() }
    case .retention: try await checkRetentionStore { try await open() }
    case .performances: try await checkPerformanceStore { try await openNext() }
    case .captures: try await checkCaptureStore { try await open() }
    case .scans: try await checkScanStore { try await open() }
    case .erasure: try await checkErasure { try await openSeparate() }
    case .lists:
      try await checkCheckList { try await openSeparate() }
      try await checkCaptureList { try await openSeparate() }
      try await checkMessageList { try await openSeparate() }
    case .images: try await checkImageStore { try await open() }
    case .templates: try await checkTemplateStore { try await open() }
    case .encryptedColumns: try await checkEncryptedColumnStore { try await opener.open("main", keyring: $0) }
    }
  }
}

@Suite struct `Store contracts` {
  @Test(arguments: TestDatabase.available, StoreContract.allCases)
  func `a store conforms to its contract`(_ database: TestDatabase, _ contract: StoreContract) async throws {
    try await contract.check(database.opener)
  }

  @Test(arguments: TestDatabase.available, StoreContract.encrypted)
  func `a store conforms to its contract with encryption`(_ database: TestDatabase, _ contract: StoreContract)
    async throws
  {
    try await contract.check(database.opener, keyring: sampleKeyring(9))
  }
}
