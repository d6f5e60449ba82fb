import Foundation

/// What a backup holds: the file `backup.json`, written last, so that a folder without it is no backup.
struct BackupContents: Codable, Equatable {
  static let name = "backup.json"

  /// A file by its path within the backup.
  struct File: Codable, Equatable {
    let path: String
    let bytes: Int
    /// SHA-256 in hexadecimal.
    let sha256: String
  }

  /// 1.
  let version: Int
  /// RFC 3339, UTC.
  let made: String
  let files: [File]
  /// The seals' digests by their paths: which seal belongs to this backup, whether or not it lies in it.
  ///
  /// A seal is 32 random bytes: its digest tells nothing about it.
  let seals: [String: String]

  /// Reads and checks what `backup.json` says; every byte of it is from outside.
  static func read(_ folder: String) throws -> BackupContents {
    let path = folder + "/" + name
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError("\(folder) is no backup: it has no \(name). Was the backup cut off?")
    }
    guard let contents = try? JSONDecoder().decode(BackupContents.self, from: Data(try Input.bytes(path))) else {
      throw CommandError("\(path) cannot be read: it is not what `mien backup` writes.")
    }
    guard contents.version == 1 else {
      throw CommandError("\(path) is of version \(contents.version), this program reads version 1.")
    }
    for path in contents.files.map(\.path) + contents.seals.keys where !isWithin(path) {
      throw CommandError("\(folder)/\(name) names a file outside of the backup. It was not made by `mien backup`.")
    }
    return contents
  }

  /// True for a plain relative path: no file of a backup may be written elsewhere.
  static func isWithin(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.isEmpty && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0") }
  }
}
