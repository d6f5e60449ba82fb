internal import Foundation
internal import MienService

/// The file that ffmpeg writes a film into: pictures that lie open for as long as it takes.
///
/// A pipe would not do, since ffmpeg goes back to the beginning when a film is whole. The file lies in the system's memory where
/// there is a folder for that with room in it, and else on the disk beside the reels.
struct FilmDraft {
  /// What Linux keeps files in memory in; only swapping writes them to a disk.
  private static let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
  /// ffmpeg may hold a film twice while it moves its table to the front.
  private static let room = 2 * KeptClip.maximumBytes

  let file: URL

  /// - Parameter folder: of the reels.
  /// - Throws: ``FilmError`` when a file can be made nowhere.
  init(of folder: URL) throws {
    let name = UUID().uuidString + ".mp4"
    var places = [folder.appendingPathComponent(name)]
    if Self.hasMemory, let prefix = Self.prefix(of: folder) {
      places.insert(Self.memory.appendingPathComponent(prefix + name), at: 0)
    }
    // Whoever may look into the folder of memory may not look into this file.
    let made = places.first {
      FileManager.default.createFile(atPath: $0.path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    guard let made else {
      throw FilmError("A film could not be begun. Check that the data folder is writable and has room.")
    }
    file = made
  }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }

  func remove() { try? FileManager.default.removeItem(at: file) }

  /// Removes the drafts that a crash left behind; only while nobody makes films of these reels.
  ///
  /// - Parameter folder: of the reels.
  static func sweep(_ folder: URL) {
    remove(in: folder) { $0.hasSuffix(".mp4") }
    if let prefix = prefix(of: folder) { remove(in: memory) { $0.hasPrefix(prefix) } }
  }

  private static func remove(in folder: URL, _ isDraft: (String) -> Bool) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where isDraft(name) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// What the names of the drafts in memory begin with: the folder's own name in the system, since several servers may share it.
  private static func prefix(of folder: URL) -> String? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: folder.path),
      let device = facts[.systemNumber] as? NSNumber, let number = facts[.systemFileNumber] as? NSNumber
    else { return nil }
    return "mien-film-\(device.uint64Value)-\(number.uint64Value)-"
  }

  private static var hasMemory: Bool {
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: memory.path)
    guard let free = facts?[.systemFreeSize] as? NSNumber else { return false }
    return free.int64Value >= Int64(room)
  }
}
