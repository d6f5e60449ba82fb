internal import Foundation
internal import Logging
internal import MienFiles
internal import MienPlatform
internal import MienScanService
internal import MienStore
internal import ServiceLifecycle

/// Membership of this server in the cluster of servers that share one database. With the embedded database there is
/// only one server.
struct ClusterMembership: Service {
  /// Heartbeat interval in seconds; several heartbeats fit into the timeout after which a server counts as gone.
  private static let period = 5
  /// Interval between purges of orphaned upload files, in heartbeat periods.
  private static let purgeInterval = 120

  private let stores: [any ClusterStore]
  private let scans: [ScanService]
  private let logger: Logger
  private let isAlone: Bool

  /// Service that maintains the membership while the server runs; empty with the embedded database.
  var services: [any Service] { stores.isEmpty ? [] : [self] }

  /// Joins the cluster; waits while another server cleans up or a command rotates the master keys.
  ///
  /// - Throws: ``OperationError`` if the master keyrings have changed since this server read them.
  init(_ stores: RealmStores, scans: [ScanService], logger: Logger) async throws {
    self.stores = stores.clusters
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
      // From here on, no command can rotate the keys.
      try stores.requireSameKeyrings()
    } catch {
      // Leaves at once, so that other servers need not wait for this membership to expire.
      for store in self.stores { try? await store.leaveCluster() }
      throw error
    }
  }

  /// Verifies that this server sees the same blob store as the other servers on the database.
  func findFiles(of store: any ServerStore, in blobs: some BlobStore) async throws {
    guard let store = store.cluster else { return }
    if let place = try await store.blobPlace(orElse: nil, isAlone: false), try await blobs.size(of: place) != nil {
      return
    }
    guard let candidate = BlobID(DataDirectory.place + UUID().uuidString) else {
      preconditionFailure("a name of a blob")
    }
    let writer = try await blobs.begin(candidate)
    _ = try await writer.commit()
    let place = try await store.blobPlace(orElse: candidate, isAlone: isAlone)
    guard let place, place != candidate else { return }
    _ = try await blobs.delete(candidate)
    // Another server that started at the same time may have recorded its marker first.
    guard try await blobs.size(of: place) == nil else { return }
    throw OperationError(
      """
      The files of the captures and scans in this database are not here. All servers on one database need the same files: name \
      the same --blobs for all of them, or let them share the folders blobs and sandbox/blobs of their data folders. \
      Documentation/operations/Scaling.md says more.
      """)
  }

  /// Runs `sweep`, which removes the leftovers of a crash, only if no other server can be writing.
  func purgeExpired(_ sweep: () async throws -> Void) async throws {
    if isAlone {
      async let _ = sendHeartbeats()
      try await sweep()
    }
    for store in stores { try await store.finishJoining() }
    // Jobs of other servers stay theirs while those servers are alive.
    if stores.isEmpty { for service in scans { try await service.resume() } }
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await sendHeartbeats { try await maintain($0) } }
    // A server that cannot sign off counts as gone once its membership expires.
    for store in stores { try? await store.leaveCluster() }
  }

  /// Resumes the jobs of servers that are gone, and purges uploads whose records were deleted by another server.
  ///
  /// - Parameter heartbeats: number of consecutive successful heartbeats of this server.
  private func maintain(_ heartbeats: Int) async throws {
    // After a database outage, other servers need time to renew their heartbeats.
    if heartbeats * Self.period > PostgresStore.timeout { for service in scans { try await service.resume() } }
    if heartbeats.isMultiple(of: Self.purgeInterval) { for service in scans { try await service.purgeUploads() } }
  }

  /// Sends heartbeats until the task is canceled.
  private func sendHeartbeats(_ after: (Int) async throws -> Void = { _ in }) async {
    var heartbeats = 0
    while !Task.isCancelled {
      do {
        for store in stores { try await store.heartbeat() }
        heartbeats += 1
        try await after(heartbeats)
      } catch {
        heartbeats = 0
        logger.error("servers", metadata: ["error": "\(error.logText)"])
      }
      do { try await Task.sleep(for: .seconds(Self.period)) } catch { return }
    }
  }
}
