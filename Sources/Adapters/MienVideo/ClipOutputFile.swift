internal import Foundation
internal import MienService

/// The file that ffmpeg writes a film into: pictures that lie open for as long as it takes.
///
/// A pipe would not do, since ffmpeg goes back to the beginning when a film is whole. The file lies in the system's memory where
/// there is a folder for that with room in it, and else on the disk beside the reels.
struct ClipOutputFile {
  /// ffmpeg may hold a film twice while it moves its table to the front.
  private static let room = 2 * ClipRecord.maximumBytes
  private static let kind = "film"

  let file: URL

  /// - Parameter folder: of the reels.
  /// - Throws: ``VideoError`` when a file can be made nowhere.
  init(of folder: URL) throws {
    let name = UUID().uuidString + ".mp4"
    var places = [folder.appendingPathComponent(name)]
    if TmpfsDirectory.hasRoom(for: Self.room), let prefix = TmpfsDirectory.prefix(Self.kind, of: folder) {
      places.insert(TmpfsDirectory.place.appendingPathComponent(prefix + name), at: 0)
    }
    // Whoever may look into the folder of memory may not look into this file.
    let made = places.first {
      FileManager.default.createFile(atPath: $0.path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    guard let made else {
      throw VideoError("A film could not be begun. Check that the data folder is writable and has room.")
    }
    file = made
  }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }

  func remove() { try? FileManager.default.removeItem(at: file) }

  /// Removes the drafts that a crash left behind; only while nobody makes films of these reels.
  ///
  /// - Parameter folder: of the reels.
  static func sweep(_ folder: URL) {
    TmpfsDirectory.remove(in: folder) { $0.hasSuffix(".mp4") }
    if let prefix = TmpfsDirectory.prefix(Self.kind, of: folder) {
      TmpfsDirectory.remove(in: TmpfsDirectory.place) { $0.hasPrefix(prefix) }
    }
  }
}
