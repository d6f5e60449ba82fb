internal import Foundation
internal import MienPlatform

/// Dependencies outside the process that a server monitors for its readiness.
enum ExternalDependencies {
  /// Minimum free disk space in bytes: below it, new data is rejected, because even the database's log could not grow
  /// by much.
  private static let least = 8 << 20

  static func monitor(_ stores: RealmStores, _ blobs: RealmBlobStores, data: String) -> DependencyHealthMonitor {
    let isShared = stores.isShared
    var parts = [ExternalDependency(.database, isVital: true, look: stores[.live].reach)]
    // A full database can still be read.
    if isShared { parts.append(ExternalDependency(.databaseRoom, isVital: false, look: stores[.live].checkFreeSpace)) }
    if let bucket = blobs.bucket { parts.append(ExternalDependency(.objectStore, isVital: false, look: bucket.reach)) }
    // With an external database, checks continue without free disk space; only scans and videos do not.
    parts.append(ExternalDependency(.dataFolder, isVital: !isShared) { try checkFreeSpace(in: data) })
    return DependencyHealthMonitor(parts, clock: SystemClock())
  }

  private static func checkFreeSpace(in data: String) throws {
    let facts = try FileManager.default.attributesOfFileSystem(forPath: data)
    guard let capacity = facts[.systemFreeSize] as? NSNumber, capacity.int64Value >= least else {
      throw StoreError(.unavailable, reason: "The disk of the data folder is full.")
    }
  }
}
