import Foundation
import Logging
import MienService
import MienStorePostgres
import ServiceLifecycle

/// The servers on one database, as one of them sees them. With the embedded database a server is alone.
struct ClusterMembership: Service {
  /// How often the others hear of a server, in seconds; several times within their patience.
  private static let period = 5
  /// How often files that come in for nothing are looked for on the shelf, in periods.
  private static let tidying = 120

  private let stores: [PostgresStore]
  private let scans: [ScanService]
  private let logger: Logger
  private let isAlone: Bool

  /// What keeps a server in the circle while it serves; nothing where it is alone for ever.
  var services: [ServiceGroupConfiguration.ServiceConfiguration] { stores.isEmpty ? [] : [.init(service: self)] }

  /// Enters; waits while another server tidies or a command exchanges the seals.
  ///
  /// - Throws: ``CommandError`` when the seals are not those any more that this server has read.
  init(_ stores: RealmStores, scans: [ScanService], logger: Logger) async throws {
    self.stores = [stores.live, stores.sandbox].compactMap { $0 as? PostgresStore }
    self.scans = scans
    self.logger = logger
    var isAlone = true
    for store in self.stores {
      var entrance = try await store.join()
      while entrance == .wait {
        try await Task.sleep(for: .milliseconds(500))
        entrance = try await store.join()
      }
      isAlone = isAlone && entrance == .alone
    }
    self.isAlone = isAlone
    do {
      // From here on nobody exchanges them.
      try stores.requireSameKeyrings()
    } catch {
      // Others need not wait until it is forgotten.
      for store in self.stores { try? await store.leaveCluster() }
      throw error
    }
  }

  /// Sees that the files that others keep are the files that this server sees.
  func findFiles(of store: any FullStore, in blobs: some BlobStore) async throws {
    guard let store = store as? PostgresStore else { return }
    if let place = try await store.blobPlace(orElse: nil), try await blobs.size(of: place) != nil { return }
    guard let candidate = BlobID(DataDirectory.place + UUID().uuidString) else {
      preconditionFailure("a name of a blob")
    }
    let writer = try await blobs.begin(candidate)
    _ = try await writer.commit()
    let place = try await store.blobPlace(orElse: candidate, isAlone: isAlone)
    guard let place, place != candidate else { return }
    _ = try await blobs.delete(candidate)
    // Another server that began at the same time may have been first.
    guard try await blobs.size(of: place) == nil else { return }
    throw CommandError(
      """
      The files of the captures and scans in this database are not here. All servers on one database need the same files: name \
      the same --blobs for all of them, or let them share the folders blobs and sandbox/blobs of their data folders. \
      Documentation/Scaling.md says more.
      """)
  }

  /// Tidies what a sudden death left behind, where nobody else may be writing just now.
  func tidy(_ sweep: () async throws -> Void) async throws {
    if isAlone {
      async let _ = beats()
      try await sweep()
    }
    for store in stores { try await store.finishJoining() }
    // Others' work is theirs while they live.
    if stores.isEmpty { for service in scans { try await service.resume() } }
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await beats { try await attend($0) } }
    // A server that does not get to say so is gone when its time is over.
    for store in stores { try? await store.leaveCluster() }
  }

  /// Takes up what is left of servers that are gone, and tidies the shelf of what was erased at another server.
  ///
  /// - Parameter heard: how often this server was heard of without a gap.
  private func attend(_ heard: Int) async throws {
    // After the database was away, others need time to be heard of again.
    if heard * Self.period > PostgresStore.patience { for service in scans { try await service.resume() } }
    if heard.isMultiple(of: Self.tidying) { for service in scans { try await service.purgeUploads() } }
  }

  /// Lets the others hear of this server until it is cancelled.
  private func beats(_ after: (Int) async throws -> Void = { _ in }) async {
    var heard = 0
    while !Task.isCancelled {
      do {
        for store in stores { try await store.heartbeat() }
        heard += 1
        try await after(heard)
      } catch {
        heard = 0
        logger.error("servers", metadata: ["error": "\((error as? StoreError)?.reason ?? "\(type(of: error))")"])
      }
      do { try await Task.sleep(for: .seconds(Self.period)) } catch { return }
    }
  }
}
