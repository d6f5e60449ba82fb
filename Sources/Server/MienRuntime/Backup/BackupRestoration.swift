internal import Foundation
internal import MienFiles
internal import MienStore

/// Restoration of a data folder from a backup, completely or not at all.
package struct BackupRestoration {
  private let folder: String
  private let keyrings: String?
  private let console: any OperatorConsole

  /// - Parameters:
  ///   - folder: folder that ``ServerBackup`` created.
  ///   - keyrings: folder with the keyrings, laid out like the data folder, if they are not in the backup.
  package init(of folder: String, keyrings: String?, console: any OperatorConsole) {
    self.folder = folder
    self.keyrings = keyrings
    self.console = console
  }

  /// Creates the data folder.
  ///
  /// - Throws: ``OperationError`` if the folder is not empty, or a file of the backup is missing or changed.
  package func make(in data: String) throws {
    let manager = FileManager.default
    // Strips a trailing slash, which would put the draft inside the folder.
    let data = URL(fileURLWithPath: data).standardizedFileURL.path
    if let there = try? manager.contentsOfDirectory(atPath: data), !there.isEmpty {
      throw OperationError("\(data) is not empty. A backup is restored into a new folder, never over a server's data.")
    }
    let contents = try BackupContents.read(folder)
    let draft = "\(data).part-\(UUID().uuidString)"
    defer { try? manager.removeItem(atPath: draft) }
    for file in contents.files {
      let copied = try BackupFiles.copy(folder + "/" + file.path, to: draft + "/" + file.path)
      guard copied == (file.bytes, file.sha256) else {
        throw OperationError(
          "\(folder)/\(file.path) is not what was backed up: its digest differs. Use another backup.")
      }
      if file.path.hasSuffix(DataDirectory.database) { try SQLiteStore.examine(draft + "/" + file.path) }
    }
    for (path, digest) in contents.keyrings.sorted(by: { $0.key < $1.key })
    where !contents.files.contains(where: { $0.path == path }) {
      guard let keyrings else {
        throw OperationError("The backup has no \(path). Name its folder with --keyrings.")
      }
      guard try BackupFiles.copy(keyrings + "/" + path, to: draft + "/" + path).sha256 == digest else {
        throw OperationError("\(keyrings)/\(path) is not the keyring of this backup: the data could not be decrypted.")
      }
    }
    try BackupFiles.saveDirectories(of: draft)
    do {
      // Removes only an empty folder: another process may have begun to use it in the meantime.
      guard unsafe rmdir(data) == 0 || errno == ENOENT else { throw OperationError("it is no longer empty") }
      try manager.moveItem(atPath: draft, toPath: data)
      try BackupFiles.keep(URL(fileURLWithPath: data).deletingLastPathComponent().path)
    } catch {
      throw OperationError("\(data) cannot be created: \(error.fileReason)")
    }
    try console.write("Restored \(contents.files.count) files of \(contents.made) to \(data).")
  }
}
