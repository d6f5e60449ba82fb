internal import Foundation
internal import MienFiles

/// Manifest of a backup: the file `backup.json`, written last, so that a folder without it is not a valid backup.
struct BackupContents: Codable, Equatable {
  static let name = "backup.json"

  /// A file, identified by its path within the backup.
  struct File: Codable, Equatable {
    let path: String
    let bytes: Int
    /// SHA-256 in hexadecimal.
    let sha256: String
  }

  /// Format version: 1.
  let version: Int
  /// Creation time, RFC 3339 in UTC.
  let made: String
  let files: [File]
  /// SHA-256 digests of the master keyrings by path: they identify the keyring of this backup even if it is not
  /// included.
  ///
  /// A keyring holds random 32-byte keys, so its digest reveals nothing about them.
  let keyrings: [String: String]

  /// Reads and validates `backup.json`, which is untrusted input.
  static func read(_ folder: String) throws -> BackupContents {
    let path = folder + "/" + name
    guard FileManager.default.fileExists(atPath: path) else {
      throw OperationError("\(folder) is no backup: it has no \(name). Was the backup cut off?")
    }
    guard let contents = try? JSONDecoder().decode(BackupContents.self, from: Data(try InputFile.bytes(path))) else {
      throw OperationError("\(path) cannot be read: it is not what `mien backup` writes.")
    }
    guard contents.version == 1 else {
      throw OperationError("\(path) is of version \(contents.version), this program reads version 1.")
    }
    for path in contents.files.map(\.path) + contents.keyrings.keys where !isWithin(path) {
      throw OperationError("\(folder)/\(name) names a file outside of the backup. It was not made by `mien backup`.")
    }
    return contents
  }

  /// Returns `true` for a plain relative path: restoring must not write a file outside the target folder.
  static func isWithin(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.isEmpty && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0") }
  }
}
