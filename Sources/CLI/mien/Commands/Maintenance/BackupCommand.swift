import ArgumentParser
import MienRuntime

/// `mien backup`: makes a full copy of a server's data while the server runs.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Back up a server's data to a new folder while it runs.",
    discussion: """
      Each database is copied as a consistent snapshot. Keyrings are not copied by default, because they decrypt the \
      database: store copies of data/mien.keyring and data/sandbox/mien.keyring elsewhere. Deleted people are still in older \
      backups: keep backups no longer than results.
      """)

  @Argument(help: "Folder to create. It must not exist.")
  var folder: String
  @Option(help: "The server's data folder.")
  var data = "data"
  @Flag(help: "Also copy the keyrings. Anyone who can read the backup can then decrypt everything.")
  var withKeyrings = false

  func run() async throws {
    try await Terminal.reporting {
      try ServerBackup(of: data, withKeyrings: withKeyrings, console: TerminalConsole()).make(in: folder)
    }
  }
}

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
  var keyrings: String?

  func run() async throws {
    try await Terminal.reporting {
      try BackupRestoration(of: folder, keyrings: keyrings, console: TerminalConsole()).make(in: data)
    }
  }
}
