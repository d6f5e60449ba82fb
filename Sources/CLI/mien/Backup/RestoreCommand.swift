import ArgumentParser
import Foundation
import MienService
import MienStoreSQLite

/// `mien restore`: creates a data folder from a backup, completely or not at all.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a server's data folder from a backup.",
    discussion: """
      Every file is verified against the backup's manifest, and every database is read completely, before the folder is \
      created. Counts made after the backup (failed checks, attempts at messages) are lost, and data deleted since then \
      is back: delete it again.
      """)

  @Argument(help: "Folder created by `mien backup`.")
  var folder: String
  @Option(help: "Data folder to create. It must not exist or must be empty.")
  var data = "data"
  @Option(help: "Folder with the keyrings, laid out like the data folder, if they are not in the backup.")
  var seals: String?

  func run() async throws {
    try await Terminal.reporting { try make() }
  }

  private func make() throws {
    let manager = FileManager.default
    // Strips a trailing slash, which would put the draft inside the folder.
    let data = URL(fileURLWithPath: data).standardizedFileURL.path
    if let there = try? manager.contentsOfDirectory(atPath: data), !there.isEmpty {
      throw CommandError("\(data) is not empty. A backup is restored into a new folder, never over a server's data.")
    }
    let contents = try BackupContents.read(folder)
    let draft = "\(data).part-\(UUID().uuidString)"
    defer { try? manager.removeItem(atPath: draft) }
    for file in contents.files {
      let copied = try BackupFiles.copy(folder + "/" + file.path, to: draft + "/" + file.path)
      guard copied == (file.bytes, file.sha256) else {
        throw CommandError("\(folder)/\(file.path) is not what was backed up: its digest differs. Use another backup.")
      }
      if file.path.hasSuffix(DataDirectory.database) { try SQLiteStore.examine(draft + "/" + file.path) }
    }
    for (path, digest) in contents.seals.sorted(by: { $0.key < $1.key })
    where !contents.files.contains(where: { $0.path == path }) {
      guard let seals else {
        throw CommandError("The backup has no \(path). Name the folder where it is kept with --seals.")
      }
      guard try BackupFiles.copy(seals + "/" + path, to: draft + "/" + path).sha256 == digest else {
        throw CommandError("\(seals)/\(path) is not the seal of this backup: what it sealed could not be opened.")
      }
    }
    try BackupFiles.saveDirectories(of: draft)
    do {
      // Removes only an empty folder: another process may have begun to use it in the meantime.
      guard unsafe rmdir(data) == 0 || errno == ENOENT else { throw CommandError("it is not empty any more") }
      try manager.moveItem(atPath: draft, toPath: data)
      try BackupFiles.keep(URL(fileURLWithPath: data).deletingLastPathComponent().path)
    } catch {
      throw CommandError("\(data) cannot be made: \(Terminal.reason(error))")
    }
    try Terminal.say("Restored \(contents.files.count) files of \(contents.made) to \(data).")
  }
}
