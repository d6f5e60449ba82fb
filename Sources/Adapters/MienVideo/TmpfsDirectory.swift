internal import Foundation

/// The folder that Linux keeps files of in memory; only swapping writes them to a disk.
enum TmpfsDirectory {
  static let place = URL(fileURLWithPath: "/dev/shm", isDirectory: true)

  /// Whether there is such a folder, with so many bytes free.
  static func hasRoom(for bytes: Int) -> Bool {
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: place.path)
    guard let free = facts?[.systemFreeSize] as? NSNumber else { return false }
    return free.int64Value >= Int64(bytes)
  }

  /// What names in it begin with: a folder's own name in the system, since several servers may share it.
  ///
  /// - Parameter kind: what the files are.
  static func prefix(_ kind: String, of folder: URL) -> String? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: folder.path),
      let device = facts[.systemNumber] as? NSNumber, let number = facts[.systemFileNumber] as? NSNumber
    else { return nil }
    return "mien-\(kind)-\(device.uint64Value)-\(number.uint64Value)-"
  }

  /// Removes what a folder has whose name `isWanted` does not know.
  static func remove(in folder: URL, _ isUnwanted: (String) -> Bool) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where isUnwanted(name) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }
}
