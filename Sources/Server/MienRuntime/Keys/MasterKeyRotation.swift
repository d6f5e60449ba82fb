internal import Foundation
internal import MienBlobs
internal import MienBlobsS3
internal import MienCore
internal import MienFiles
internal import MienPlatform
internal import MienSecurity
internal import MienAccess
internal import MienScanService
internal import MienStore

/// Rotation of the master keys of both realms: re-encrypts all data that is encrypted under the old keys.
package struct MasterKeyRotation {
  private let location: StoreLocation
  /// URL of the object store with the files; `nil` for the environment's, or the data folder.
  private let bucketURL: String?
  private let onlyFinishes: Bool
  private let console: any OperatorConsole

  /// - Parameters:
  ///   - blobs: URL of the object store with the files; `nil` for the environment's, or the data folder.
  ///   - onlyFinishes: `true` to create no new key, but finish an interrupted rotation.
  package init(of location: StoreLocation, blobs: String?, onlyFinishes: Bool, console: any OperatorConsole) {
    self.location = location
    bucketURL = blobs ?? BlobBucket.fromEnvironment
    self.onlyFinishes = onlyFinishes
    self.console = console
  }

  /// Rotates the keys, or continues an interrupted rotation.
  ///
  /// - Throws: ``OperationError`` if a server uses the data, or something cannot be re-encrypted now.
  package func run() async throws {
    do {
      try await rotate()
    } catch let error as StoreError {
      throw OperationError(
        "\(error.reason) Re-encrypted data stays re-encrypted. Solve the problem and run the command again.")
    }
  }

  private func rotate() async throws {
    guard FileManager.default.fileExists(atPath: location.data + "/" + DataDirectory.keyringName) else {
      throw OperationError("\(location.data) has no \(DataDirectory.keyringName): it is not a server's data folder.")
    }
    let bucket = try bucketURL.map { try BlobBucket($0) }
    if bucket == nil, let noted = BlobLocationFile.read(in: location.data) {
      throw OperationError(
        "The files of this installation are in an object store, at \(noted). Name it with --blobs or MIEN_BLOBS.")
    }
    try StoreLocationFile.requireSameKind(as: location)
    let realms = Realm.allCases.filter { FileManager.default.fileExists(atPath: path($0)) }
    if !location.isExternal { try requireDatabases(of: realms) }
    try await withExclusiveAccess(to: realms[...]) { targets in try await rotate(targets, bucket) }
    console.note(
      "Copy the new \(DataDirectory.keyringName) to where you keep the old, and to every server of this installation."
    )
  }

  private func path(_ realm: Realm) -> String { location.folder(realm) + "/" + DataDirectory.keyringName }

  private func database(_ realm: Realm) -> String { location.database(realm) }

  private func keyringFile(of realm: Realm) throws -> KeyringFile {
    guard let file = KeyringFile([UInt8](try InputFile.bytes(path(realm)))) else {
      throw OperationError("\(path(realm)) is not a keyring file. Restore it from the backup of this database.")
    }
    return file
  }

  // MARK: - Exclusive access and store checks

  private typealias RotatedStore = EncryptedColumnStore & EncryptedSecretStore & AuditStore & ScanStore

  /// A realm whose store no server uses.
  private struct Target {
    let realm: Realm
    let store: any RotatedStore
    /// `nil` if the embedded database's own lock provides the exclusion.
    let hold: ExclusiveMaintenanceLock?
  }

  /// Throws if a folder has no database: opening one would create it, and after the rotation no key would remain that
  /// decrypts the records stored elsewhere.
  private func requireDatabases(of realms: [Realm]) throws {
    guard let realm = realms.first(where: { !FileManager.default.fileExists(atPath: database($0)) }) else { return }
    throw OperationError(
      """
      \(location.folder(realm)) has a keyring but no database (\(DataDirectory.database)). Nothing was changed. Where the server keeps \
      its records in PostgreSQL, name that with --store or MIEN_STORE; else restore the database from a backup.
      """)
  }

  /// Throws if the store does not belong to this keyring: no key would remain that decrypts the records in the right
  /// store.
  ///
  /// Never creates the signing key that proves the match, as a server does on its first start.
  private func requireOwnKey(_ target: Target) async throws {
    guard try await target.store.secret(.signingKey, "es256") != nil else {
      let source = location.isExternal ? "The database of --store or MIEN_STORE" : database(target.realm)
      throw OperationError(
        """
        \(source) does not hold the key that a server signs results with (\(target.realm.rawValue)): no server has worked on \
        it. Nothing was changed. Name the database that the server uses, with --store or MIEN_STORE where that is PostgreSQL.
        """)
    }
    let clock = SystemClock()
    var generator = SystemRandomNumberGenerator()
    // The signing key exists; it is decrypted, or an error is thrown.
    _ = try await ResultSigner(
      store: target.store, keyring: try DataDirectory.keyring(location.folder(target.realm)), at: clock.timeOfDay(),
      using: &generator)
  }

  /// Runs `work` while no server uses any of the stores, and prevents servers from starting in the meantime.
  private func withExclusiveAccess(
    to realms: ArraySlice<Realm>, with targets: [Target] = [], _ work: ([Target]) async throws -> Void
  ) async throws {
    guard let realm = realms.first else { return try await work(targets) }
    try await withExclusiveAccess(to: realm) { target in
      try await withExclusiveAccess(to: realms.dropFirst(), with: targets + [target], work)
    }
  }

  private func withExclusiveAccess(to realm: Realm, _ work: (Target) async throws -> Void) async throws {
    guard let address = try location.address() else {
      let store = try SQLiteStore.alone(database(realm))
      return try await work(Target(realm: realm, store: store, hold: nil))
    }
    var generator = SystemRandomNumberGenerator()
    let store = try await PostgresStore(
      address, realm: realm, server: "seal_" + String(UInt64.random(in: 0 ... .max, using: &generator), radix: 36))
    let began = ContinuousClock.now
    guard try await store.join() == .alone else {
      try await store.leaveCluster()
      throw OperationError(
        "A server is at work on this database, or was \(PostgresStore.timeout) seconds ago. Stop all servers and run the command again."
      )
    }
    let hold = ExclusiveMaintenanceLock(since: began)
    do {
      // Servers that start in the meantime wait: to them, this command appears to be a server that is cleaning up.
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await hold.beat(store, console: console) }
        try await work(Target(realm: realm, store: store, hold: hold))
        group.cancelAll()
      }
    } catch {
      try? await store.leaveCluster()
      throw error
    }
    // The work is done; a command that cannot sign off counts as gone once its membership expires.
    try? await store.leaveCluster()
  }

  // MARK: - Rotation

  /// Rotates all realms together: an interrupted rotation in one of them must be completed before another can start.
  private func rotate(_ targets: [Target], _ bucket: BlobBucket?) async throws {
    for target in targets { try await requireOwnKey(target) }
    let rotating = try targets.map(\.realm).filter { try keyringFile(of: $0).isRotating }
    for target in targets { try DataDirectory.removeKeyringDrafts(location.folder(target.realm)) }
    if !rotating.isEmpty {
      for realm in rotating { console.note("\(realm.rawValue): resuming the interrupted rotation.") }
      for target in targets where !rotating.contains(target.realm) {
        console.note("\(target.realm.rawValue): no rotation was interrupted, and no new key is created now.")
      }
    } else if !onlyFinishes {
      for target in targets { try await begin(target) }
    }
    for target in targets { try await complete(target, bucket) }
  }

  /// Adds a new key to the keyring beside the old one.
  private func begin(_ target: Target) async throws {
    var file = try keyringFile(of: target.realm)
    var generator = SystemRandomNumberGenerator()
    let (key, entries) = (MasterKeyring.makeKey(using: &generator), try await target.store.auditCount())
    file.begin(key, at: SystemClock().timeOfDay(), entries: entries)
    try DataDirectory.replaceKeyring(location.folder(target.realm), by: file.bytes)
  }

  /// Re-encrypts everything that is under older keys, and removes these keys.
  private func complete(_ target: Target, _ bucket: BlobBucket?) async throws {
    let (realm, store, folder, clock) = (target.realm, target.store, location.folder(target.realm), SystemClock())
    var file = try keyringFile(of: realm)
    if file.isRotating {
      let keyring = try DataDirectory.keyring(folder)
      let sweep = ColumnReencryptionJob(store, keyring: keyring)
      let values = try await sweep.run() + sweep.renewSecrets()
      let files = try await renewBlobs(realm, keyring, bucket)
      // Nothing may remain under a key that is removed, so a second pass verifies it.
      let left = try await (sweep.run() + sweep.renewSecrets()).sealed
      guard left == 0 else {
        throw OperationError(
          "\(left) values were written under the old key in the meantime. Stop all writers and run the command again.")
      }
      if values.strange + files.strange > 0 {
        console.note(
          "\(realm.rawValue): \(values.strange) values and \(files.strange) files cannot be decrypted with this keyring "
            + "and are unchanged: they are damaged or belong to another keyring.")
      }
      // Logged before the old key is removed: an interruption in between causes a second entry, never a missing one.
      try await AuditLog(store: store, keyring: keyring, clock: clock).add(
        .rotatedMasterKey, of: "keyring", by: AuditLog.commandLine)
      // A server that started in the meantime may be encrypting with the old key.
      guard await target.hold?.isKept ?? true else {
        throw OperationError(
          """
          \(realm.rawValue): the lease of this command expired, and a server may have started. Both keys \
          are kept, and all data can be decrypted. Stop all servers and run the command again.
          """)
      }
      file.end()
      try DataDirectory.replaceKeyring(folder, by: file.bytes)
      try console.write(
        "\(realm.rawValue): \(values.sealed) values and \(files.sealed) files are encrypted under the new key. The old key was deleted."
      )
    }
    try await file.remove(at: clock.timeOfDay()) { try await store.lockedMessages(createdBy: $0) }
    try DataDirectory.replaceKeyring(folder, by: file.bytes)
    if file.hasRemains {
      console.note(
        """
        \(realm.rawValue): parts of old keys are kept for messages that can still be opened, session \
        tokens, and clips to be encoded. `mien keys rotate-master-key --finish` deletes them when they are no longer needed.
        """)
    }
  }

  /// Re-encrypts the keys of all files with the new master key.
  private func renewBlobs(_ realm: Realm, _ keyring: MasterKeyring, _ bucket: BlobBucket?) async throws
    -> ColumnReencryptionJob.Outcome
  {
    let (ids, store): ([BlobID], any BlobStore)
    if let bucket {
      let objects = bucket.store(realm)
      // The installation marker is encrypted as well.
      (ids, store) = (try await objects.kept() + [S3BlobStore.installationMarker].compactMap(\.self), objects)
    } else {
      let files = location.folder(realm) + "/" + DataDirectory.blobs
      ids = try FileBlobStore.paths(in: files).compactMap { BlobID(($0 as NSString).lastPathComponent) }
      store = try FileBlobStore(files)
    }
    let sealed = EncryptedBlobStore(store, keyring: keyring, random: DataDirectory.random)
    var outcome = ColumnReencryptionJob.Outcome()
    for id in ids {
      switch try await sealed.renew(id) {
      case .renewed: outcome.sealed += 1
      case .strange: outcome.strange += 1
      case .asItWas: break
      }
    }
    return outcome
  }
}
