import ArgumentParser
import Foundation
import MienBlobs
import MienBlobsS3
import MienCore
import MienService
import MienStorePostgres
import MienStoreSQLite

extension KeysCommand {
  /// `mien keys rotate-seal`: rotates the master key and re-encrypts all data that is encrypted under it.
  struct RotateMasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate-seal",
      abstract: "Re-encrypt all data with a new master key.",
      discussion: """
        Stop all servers that use the data first; pass --store or MIEN_STORE, and --blobs or MIEN_BLOBS, as for the \
        server. The new key is added to mien.seal, all encrypted data is re-encrypted, and then the old key is \
        removed. An interrupted rotation continues when the command is run again; a server may run in between. \
        Derived parts of the old key remain for messages until they end, for unfinished uploads until no earlier \
        scan waits for files, for session tokens and frames of pending clips for two days, and for the audit log's \
        links. Keep the old file as long as backups that need it, and copy the new one to all servers.
        """)

    @OptionGroup var place: StoreOptions
    @Option(help: ArgumentHelp("Object store with the files, given as in the server's --blobs.", valueName: "url"))
    var blobs: String?
    @Flag(help: "Create no new key; finish an interrupted rotation and delete old keys that are no longer needed.")
    var finish = false

    func validate() throws {
      if let blobs, BlobBucket.address(blobs) == nil { throw ValidationError(BlobBucket.hint) }
    }

    func run() async throws {
      try await Terminal.reporting {
        do {
          try await rotate()
        } catch let error as StoreError {
          throw CommandError("\(error.reason) What was sealed anew stays so; begin again when that is set right.")
        }
      }
    }

    private func rotate() async throws {
      guard FileManager.default.fileExists(atPath: place.data + "/" + DataDirectory.keyringName) else {
        throw CommandError("\(place.data) has no \(DataDirectory.keyringName): it is not a server's data folder.")
      }
      let bucket = try (blobs ?? BlobBucket.named).map { try BlobBucket($0) }
      if bucket == nil, let noted = BlobLocationFile.read(in: place.data) {
        throw CommandError(
          "The files of this installation are in an object store, at \(noted). Name it with --blobs or MIEN_BLOBS.")
      }
      try StoreLocationFile.requireSameKind(as: place)
      let spaces = Realm.allCases.filter { FileManager.default.fileExists(atPath: path($0)) }
      if !place.isElsewhere { try requireDatabases(of: spaces) }
      try await alone(onAll: spaces[...]) { held in try await rotate(held, bucket) }
      Terminal.note(
        "Copy the new \(DataDirectory.keyringName) to where you keep the old, and to every server of this installation."
      )
    }

    private func path(_ space: Realm) -> String { place.folder(space) + "/" + DataDirectory.keyringName }

    private func database(_ space: Realm) -> String { place.folder(space) + "/" + DataDirectory.database }

    private func keyringFile(of space: Realm) throws -> KeyringFile {
      guard let file = KeyringFile([UInt8](try Input.bytes(path(space)))) else {
        throw CommandError("\(path(space)) is no seal. Restore it from the backup of this database.")
      }
      return file
    }

    // MARK: - Exclusive access and store checks

    private typealias SealedStore = EncryptedColumnStore & EncryptedSecretStore & AuditStore & ScanStore

    /// A realm whose store no server uses.
    private struct Held {
      let space: Realm
      let store: any SealedStore
      /// `nil` if the embedded database's own lock provides the exclusion.
      let hold: ExclusiveMaintenanceLock?
    }

    /// Throws if a folder has no database: opening one would create it, and after the rotation no key would remain that
    /// decrypts the records stored elsewhere.
    private func requireDatabases(of spaces: [Realm]) throws {
      guard let space = spaces.first(where: { !FileManager.default.fileExists(atPath: database($0)) }) else { return }
      throw CommandError(
        """
        \(place.folder(space)) has a seal and no database (\(DataDirectory.database)). Nothing was changed. Where the server keeps \
        its records in PostgreSQL, name that with --store or MIEN_STORE; else restore the database from a backup.
        """)
    }

    /// Throws if the store does not belong to this keyring: no key would remain that decrypts the records in the right
    /// store.
    ///
    /// Never creates the signing key that proves the match, as a server does on its first start.
    private func requireOwnKey(_ one: Held) async throws {
      guard try await one.store.secret(.signingKey, "es256") != nil else {
        let asked = place.isElsewhere ? "The database of --store or MIEN_STORE" : database(one.space)
        throw CommandError(
          """
          \(asked) does not hold the key that a server signs results with (\(one.space.rawValue)): no server has worked on \
          it. Nothing was changed. Name the database that the server uses, with --store or MIEN_STORE where that is PostgreSQL.
          """)
      }
      let clock = SystemClock()
      var generator = SystemRandomNumberGenerator()
      // The signing key exists; it is decrypted, or an error is thrown.
      _ = try await ResultSigner(
        store: one.store, keyring: try DataDirectory.keyring(place.folder(one.space)), at: clock.timeOfDay(),
        using: &generator)
    }

    /// Runs `work` while no server uses any of the stores, and prevents servers from starting in the meantime.
    private func alone(
      onAll spaces: ArraySlice<Realm>, with held: [Held] = [], _ work: ([Held]) async throws -> Void
    ) async throws {
      guard let space = spaces.first else { return try await work(held) }
      try await alone(on: space) { one in
        try await alone(onAll: spaces.dropFirst(), with: held + [one], work)
      }
    }

    private func alone(on space: Realm, _ work: (Held) async throws -> Void) async throws {
      guard let text = place.store ?? RealmStores.named else {
        let store = try SQLiteStore.alone(database(space))
        return try await work(Held(space: space, store: store, hold: nil))
      }
      guard let address = PostgresURL(text) else { throw CommandError(RealmStores.hint) }
      var generator = SystemRandomNumberGenerator()
      let store = try await PostgresStore(
        address, space: space, server: "seal_" + String(UInt64.random(in: 0 ... .max, using: &generator), radix: 36))
      let began = ContinuousClock.now
      guard try await store.join() == .alone else {
        try await store.leaveCluster()
        throw CommandError(
          "A server is at work on this database, or was \(PostgresStore.timeout) seconds ago. End all servers, and begin again."
        )
      }
      let hold = ExclusiveMaintenanceLock(since: began)
      do {
        // Servers that start in the meantime wait: to them, this command appears to be a server that is cleaning up.
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { await hold.beat(store) }
          try await work(Held(space: space, store: store, hold: hold))
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
    private func rotate(_ held: [Held], _ bucket: BlobBucket?) async throws {
      for one in held { try await requireOwnKey(one) }
      let rotating = try held.map(\.space).filter { try keyringFile(of: $0).isRotating }
      for one in held { try DataDirectory.removeKeyringDrafts(place.folder(one.space)) }
      if !rotating.isEmpty {
        for space in rotating { Terminal.note("\(space.rawValue): going on with what broke off.") }
        for one in held where !rotating.contains(one.space) {
          Terminal.note("\(one.space.rawValue): nothing broke off there, and it gets no new key now.")
        }
      } else if !finish {
        for one in held { try await begin(one) }
      }
      for one in held { try await complete(one, bucket) }
    }

    /// Adds a new key to the keyring beside the old one.
    private func begin(_ one: Held) async throws {
      var file = try keyringFile(of: one.space)
      var generator = SystemRandomNumberGenerator()
      let (key, entries) = (MasterKeyring.makeKey(using: &generator), try await one.store.auditCount())
      file.begin(key, at: SystemClock().timeOfDay(), entries: entries)
      try DataDirectory.replaceKeyring(place.folder(one.space), by: file.bytes)
    }

    /// Re-encrypts everything that is under older keys, and removes these keys.
    private func complete(_ one: Held, _ bucket: BlobBucket?) async throws {
      let (space, store, folder, clock) = (one.space, one.store, place.folder(one.space), SystemClock())
      var file = try keyringFile(of: space)
      if file.isRotating {
        let keyring = try DataDirectory.keyring(folder)
        let sweep = ColumnReencryptionJob(store, keyring: keyring)
        let values = try await sweep.run() + sweep.renewSecrets()
        let files = try await renewBlobs(space, keyring, bucket)
        // Nothing may remain under a key that is removed, so a second pass verifies it.
        let left = try await (sweep.run() + sweep.renewSecrets()).sealed
        guard left == 0 else {
          throw CommandError(
            "\(left) values were written under the old key meanwhile. End what writes, and begin again.")
        }
        if values.strange + files.strange > 0 {
          Terminal.note(
            "\(space.rawValue): \(values.strange) values and \(files.strange) files open with no key of this seal and stay as they "
              + "are: they are damaged, or another seal's.")
        }
        // Logged before the old key is removed: an interruption in between causes a second entry, never a missing one.
        try await AuditLog(store: store, keyring: keyring, clock: clock).add(
          .rotatedSeal, of: "seal", by: AuditLog.commandLine)
        // A server that started in the meantime may be encrypting with the old key.
        guard await one.hold?.isKept ?? true else {
          throw CommandError(
            """
            \(space.rawValue): the database has not heard of this command for a while, and a server may have started. Both keys \
            stay, and everything opens. End all servers, and give the command again.
            """)
        }
        file.end()
        try DataDirectory.replaceKeyring(folder, by: file.bytes)
        try Terminal.say(
          "\(space.rawValue): \(values.sealed) values and \(files.sealed) files are sealed under the new key, and the old one is gone."
        )
      }
      try await file.remove(at: clock.timeOfDay()) {
        try await store.lockedMessages(createdBy: $0)
      } waitingScans: { time in
        // Their uploads may be on any server.
        var query = ScanQuery()
        query.status = .uploading
        query.created = 0...max(0, time.milliseconds)
        query.limit = 1
        return try await store.scans(query).total
      }
      try DataDirectory.replaceKeyring(folder, by: file.bytes)
      if file.hasRemains {
        Terminal.note(
          """
          \(space.rawValue): parts of old keys stay for messages that can still be opened, for uploads under way, for tokens of \
          sessions and for films to be made. mien keys rotate-seal --finish drops them when nothing needs them any more.
          """)
      }
    }

    /// Re-encrypts the keys of all files with the new master key.
    private func renewBlobs(_ space: Realm, _ keyring: MasterKeyring, _ bucket: BlobBucket?) async throws
      -> ColumnReencryptionJob.Outcome
    {
      let (ids, store): ([BlobID], any BlobStore)
      if let bucket {
        let objects = bucket.store(space)
        // The installation marker is encrypted as well.
        (ids, store) = (try await objects.kept() + [S3BlobStore.installationMarker].compactMap(\.self), objects)
      } else {
        let files = place.folder(space) + "/" + DataDirectory.blobs
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
}

/// Keeps servers out of a database during a key rotation, and detects whether the exclusion ever lapsed.
private actor ExclusiveMaintenanceLock {
  /// Heartbeat interval in seconds, and the shorter interval after a failed heartbeat.
  private static let (period, retry) = (5, 1)
  /// Age of the last heartbeat from which the lock counts as lost. It is less than the timeout of the servers, to leave
  /// time for the last step under the lock.
  private static let lease = Duration.seconds(PostgresStore.timeout - 10)

  /// Time just before the last successful heartbeat.
  private var heard: ContinuousClock.Instant
  private var isLost = false

  init(since heard: ContinuousClock.Instant) { self.heard = heard }

  /// `false` once servers may have considered the command gone, however briefly: a server that started then is not
  /// stopped again.
  var isKept: Bool { !isLost && heard.duration(to: .now) < Self.lease }

  /// Sends heartbeats to the database until the task is canceled.
  func beat(_ store: PostgresStore) async {
    var isAway = false
    while !Task.isCancelled {
      let began = ContinuousClock.now
      do {
        try await store.heartbeat()
        isLost = !isKept
        heard = began
        isAway = false
      } catch {
        guard !Task.isCancelled else { return }
        if !isAway { Terminal.note("\((error as? StoreError)?.reason ?? "\(type(of: error))") It is tried again.") }
        isAway = true
      }
      do { try await Task.sleep(for: .seconds(isAway ? Self.retry : Self.period)) } catch { return }
    }
  }
}
