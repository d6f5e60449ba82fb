internal import Foundation

/// Directory in which Linux stores files in memory; only swapping writes them to a disk.
enum TmpfsDirectory {
  static let place = URL(fileURLWithPath: "/dev/shm", isDirectory: true)

  /// Reports whether the directory exists and has enough free space.
  static func hasSpace(for bytes: Int) -> Bool {
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: place.path)
    guard let free = facts?[.systemFreeSize] as? NSNumber else { return false }
    return free.int64Value >= Int64(bytes)
  }

  /// Returns the prefix of file names in it, derived from the device and inode of `folder`, since several servers may share tmpfs.
  ///
  /// - Parameter kind: Type of the files.
  static func prefix(_ kind: String, of folder: URL) -> String? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: folder.path),
      let device = facts[.systemNumber] as? NSNumber, let number = facts[.systemFileNumber] as? NSNumber
    else { return nil }
    return "mien-\(kind)-\(device.uint64Value)-\(number.uint64Value)-"
  }

  /// Deletes the files in a directory whose names satisfy `isUnwanted`.
  static func remove(in folder: URL, _ isUnwanted: (String) -> Bool) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where isUnwanted(name) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }
}
