import ArgumentParser
import Foundation
import MienBlobs
import MienBlobsS3
import MienModel
import MienService
import MienStorePostgres
import MienStoreSQLite

extension Keys {
  /// `mien keys rotate-seal`: a new key for everything that the server keeps sealed.
  struct RotateSeal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate-seal",
      abstract: "Seal everything anew under a new key of the server's own.",
      discussion: """
        Only while no server runs on the data. The new key goes into mien.seal beside the old, all that is sealed is sealed anew, \
        and then the old key goes; what breaks off can be begun again and goes on where it was, and a server may run in between. \
        Of the old key there stay the parts that open messages until they end, tokens of sessions for two days, and the audit \
        log's links. Keep the old file as long as backups that belong to it, and give the new one to all servers.
        """)

    @OptionGroup var place: StorePlace
    @Option(help: ArgumentHelp("Where the files are, as the server's --blobs names it.", valueName: "url"))
    var blobs: String?
    @Flag(help: "Make no new key: finish what broke off, and drop parts of old keys that nothing needs any more.")
    var finish = false

    func validate() throws {
      if let blobs, BlobBucket.address(blobs) == nil { throw ValidationError(BlobBucket.hint) }
    }

    func run() async throws {
      try await Terminal.reporting {
        do {
          try await rotate()
        } catch let error as StoreError {
          throw ToolError("\(error.reason) What was sealed anew stays so; begin again when that is set right.")
        }
      }
    }

    private func rotate() async throws {
      guard FileManager.default.fileExists(atPath: place.data + "/" + DataFolder.sealName) else {
        throw ToolError("\(place.data) has no \(DataFolder.sealName): it is not a server's data folder.")
      }
      let bucket = try (blobs ?? BlobBucket.named).map { try BlobBucket($0) }
      if bucket == nil, let noted = BlobNote.read(in: place.data) {
        throw ToolError(
          "The files of this installation are in an object store, at \(noted). Name it with --blobs or MIEN_BLOBS.")
      }
      for space in Space.allCases where FileManager.default.fileExists(atPath: path(space)) {
        try await alone(space) { store in try await rotate(space, store, bucket) }
      }
      Terminal.note(
        "Copy the new \(DataFolder.sealName) to where you keep the old, and to every server of this installation.")
    }

    private func path(_ space: Space) -> String { place.folder(space) + "/" + DataFolder.sealName }

    /// Does `work` while no server is on the store, and keeps servers out meanwhile.
    private func alone(
      _ space: Space, _ work: (any SealedColumnStore & SealedSecretStore & AuditStore) async throws -> Void
    ) async throws {
      guard let text = place.store ?? ServerStores.named else {
        return try await work(try SQLiteStore.alone(place.folder(space) + "/" + DataFolder.database))
      }
      guard let address = PostgresAddress(text) else { throw ToolError(ServerStores.hint) }
      var dice = SystemRandomNumberGenerator()
      let store = try await PostgresStore(
        address, space: space, server: "seal_" + String(UInt64.random(in: 0 ... .max, using: &dice), radix: 36))
      guard try await store.enter() == .alone else {
        try await store.leave()
        throw ToolError(
          "A server is at work on this database, or was \(PostgresStore.patience) seconds ago. End all servers, and begin again."
        )
      }
      do {
        // Servers that start meanwhile wait: this one tidies, as they see it.
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            while !Task.isCancelled {
              try await Task.sleep(for: .seconds(5))
              try await store.beat()
            }
          }
          try await work(store)
          group.cancelAll()
        }
      } catch {
        try? await store.leave()
        throw error
      }
      try await store.leave()
    }

    private func rotate(
      _ space: Space, _ store: any SealedColumnStore & SealedSecretStore & AuditStore, _ bucket: BlobBucket?
    ) async throws {
      let (folder, clock) = (place.folder(space), SystemClock())
      guard var file = SealFile([UInt8](try Input.bytes(path(space)))) else {
        throw ToolError("\(path(space)) is no seal. Restore it from the backup of this database.")
      }
      let isNew = !file.isRotating && !finish
      if isNew {
        var dice = SystemRandomNumberGenerator()
        // With a seal that is not this database's nothing would be left that opens what is kept.
        _ = try await ResultSigner(
          store: store, seal: try DataFolder.seal(folder), at: clock.timeOfDay(), using: &dice)
        file.begin(Seal.makeKey(using: &dice), at: clock.timeOfDay(), entries: try await store.auditCount())
        try DataFolder.replaceSeal(folder, by: file.bytes)
      } else if file.isRotating {
        Terminal.note("\(space.rawValue): going on with what broke off.")
      }
      if file.isRotating {
        let seal = try DataFolder.seal(folder)
        let sweep = SealSweep(store, seal: seal)
        let values = try await sweep.run() + sweep.renewSecrets()
        let files = try await renewBlobs(space, seal, bucket)
        // Nothing may be left under a key that goes: look once more.
        let left = try await (sweep.run() + sweep.renewSecrets()).sealed
        guard left == 0 else {
          throw ToolError("\(left) values were written under the old key meanwhile. End what writes, and begin again.")
        }
        if values.strange + files.strange > 0 {
          Terminal.note(
            "\(space.rawValue): \(values.strange) values and \(files.strange) files open with no key of this seal and stay as they "
              + "are: they are damaged, or another seal's.")
        }
        file.end()
        try DataFolder.replaceSeal(folder, by: file.bytes)
        try await AuditLog(store: store, seal: try DataFolder.seal(folder), clock: clock).add(
          .rotatedSeal, of: "seal", by: AuditLog.commandLine)
        try Terminal.say(
          "\(space.rawValue): \(values.sealed) values and \(files.sealed) files are sealed under the new key, and the old one is gone."
        )
      }
      try await file.forget(at: clock.timeOfDay()) { try await store.lockedMessages(createdBy: $0) }
      try DataFolder.replaceSeal(folder, by: file.bytes)
      if file.hasRemains {
        Terminal.note(
          "\(space.rawValue): parts of old keys stay for messages that can still be opened and for tokens of sessions. "
            + "mien keys rotate-seal --finish drops them when nothing needs them any more.")
      }
    }

    /// Wraps the keys of all files anew.
    private func renewBlobs(_ space: Space, _ seal: Seal, _ bucket: BlobBucket?) async throws -> SealSweep.Outcome {
      let (ids, store): ([BlobID], any BlobStore)
      if let bucket {
        let objects = bucket.store(space)
        // The mark of the installation is sealed as well.
        (ids, store) = (try await objects.kept() + [S3BlobStore.mark].compactMap(\.self), objects)
      } else {
        let files = place.folder(space) + "/" + DataFolder.blobs
        ids = try BlobFolder.paths(in: files).compactMap { BlobID(($0 as NSString).lastPathComponent) }
        store = try BlobFolder(files)
      }
      let sealed = SealedBlobs(store, seal: seal, random: DataFolder.random)
      var outcome = SealSweep.Outcome()
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
