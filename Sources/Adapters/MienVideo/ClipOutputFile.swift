internal import Foundation
internal import MienChecks

/// Temporary file into which ffmpeg writes a clip, unencrypted for as long as the encoding takes.
///
/// A pipe is not possible, because ffmpeg seeks back to the beginning when a clip is complete. The file is in tmpfs if there is enough
/// space, and otherwise in the directory of the frame logs.
struct ClipOutputFile {
  /// ffmpeg may store a clip twice while it moves its index to the front.
  private static let capacity = 2 * ClipRecord.maximumBytes
  private static let kind = "clip"

  let file: URL

  /// Creates a file.
  ///
  /// - Parameter folder: Directory of the frame logs.
  /// - Throws: ``VideoError`` if no file can be created.
  init(of folder: URL) throws {
    let name = UUID().uuidString + ".mp4"
    var places = [folder.appendingPathComponent(name)]
    if TmpfsDirectory.hasSpace(for: Self.capacity), let prefix = TmpfsDirectory.prefix(Self.kind, of: folder) {
      places.insert(TmpfsDirectory.place.appendingPathComponent(prefix + name), at: 0)
    }
    // The tmpfs directory is readable by all users, but this file is not.
    let made = places.first {
      FileManager.default.createFile(atPath: $0.path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    guard let made else {
      throw VideoError("Could not start writing a clip. Check that the data folder is writable and has free space.")
    }
    file = made
  }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }

  func remove() { try? FileManager.default.removeItem(at: file) }

  /// Deletes the temporary files that a crash left behind. Must not run while clips of these frame logs are being encoded.
  ///
  /// - Parameter folder: Directory of the frame logs.
  static func sweep(_ folder: URL) {
    TmpfsDirectory.remove(in: folder) { $0.hasSuffix(".mp4") }
    if let prefix = TmpfsDirectory.prefix(Self.kind, of: folder) {
      TmpfsDirectory.remove(in: TmpfsDirectory.place) { $0.hasPrefix(prefix) }
    }
  }
}
