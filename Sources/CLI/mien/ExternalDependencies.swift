import Foundation
import MienService

/// The parts outside the process that a server looks at, to say whether it can work.
enum ExternalDependencies {
  /// With less room than this, in bytes, nothing more is taken in: even the database's log could not grow by much.
  private static let least = 8 << 20

  static func watch(_ stores: RealmStores, _ blobs: RealmBlobStores, data: String) -> DependencyHealthMonitor {
    let isElsewhere = stores.isElsewhere
    var parts = [ExternalDependency(.database, isVital: true, look: stores.live.reach)]
    // What is there is still read.
    if isElsewhere { parts.append(ExternalDependency(.databaseRoom, isVital: false, look: stores.live.findRoom)) }
    if let bucket = blobs.bucket { parts.append(ExternalDependency(.objectStore, isVital: false, look: bucket.reach)) }
    // Without room there checks go on where the database is elsewhere; only scans and films do not.
    parts.append(ExternalDependency(.dataFolder, isVital: !isElsewhere) { try findRoom(in: data) })
    return DependencyHealthMonitor(parts, clock: SystemClock())
  }

  private static func findRoom(in data: String) throws {
    let facts = try FileManager.default.attributesOfFileSystem(forPath: data)
    guard let room = facts[.systemFreeSize] as? NSNumber, room.int64Value >= least else {
      throw StoreError(.unavailable, reason: "The disk of the data folder is full.")
    }
  }
}
