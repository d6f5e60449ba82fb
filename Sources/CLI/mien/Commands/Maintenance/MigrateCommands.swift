import ArgumentParser
import MienRuntime

/// `mien migrate-store`: copies all records of a data folder's databases to PostgreSQL, or back.
struct MigrateStoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-store",
    abstract: "Copy a server's records from its data folder to PostgreSQL, or back.",
    discussion: """
      One side is a data folder and the other PostgreSQL; a side that is omitted is taken from MIEN_STORE, which, unlike \
      options, other users cannot see. Stop all servers that use either side first. The target must be empty. Every copied \
      record is verified, and each realm (first live, then sandbox) is copied completely or not at all; after an \
      interruption, run the command again. The source is unchanged, except that the folder records where the data is now \
      (store.place). Keyrings (mien.keyring, sandbox/mien.keyring), files (blobs, sandbox/blobs), and frames of pending clips \
      (frame-logs) are not moved: give the new server the same ones.
      """)

  @Option(help: ArgumentHelp("Source.", valueName: "folder|url"))
  var from: String?
  @Option(help: ArgumentHelp("Empty target.", valueName: "folder|url"))
  var to: String?

  func validate() throws {
    for end in [from, to].compactMap(\.self) where StoreMigrationRun.isInvalidURL(end) {
      throw ValidationError(StoreLocation.hint.replacing("--store takes", with: "PostgreSQL is named"))
    }
  }

  func run() async throws {
    try await Terminal.reporting { try StoreMigrationRun(from: from, to: to, console: TerminalConsole()).run() }
  }
}

/// `mien move-files`: moves the files of captures and scans from the data folder to an object store, or back.
struct MigrateBlobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-files",
    abstract: "Move the files of captures and scans into an object store, or back.",
    discussion: """
      Stop all servers that use the data first. Files are moved in their encrypted form, and each copy is verified. The \
      originals are deleted after all files have been copied. An interrupted migration can be run again.
      """)

  @Option(help: "The server's data folder.")
  var data = "data"
  @Option(help: ArgumentHelp("Move the files to this store, given as in the server's --blobs.", valueName: "url"))
  var to: String?
  @Option(help: ArgumentHelp("Move the files back from this store.", valueName: "url"))
  var from: String?

  func validate() throws {
    guard (to == nil) != (from == nil) else { throw ValidationError("Say either --to or --from.") }
    if let bucket = to ?? from, !BlobBucket.isURL(bucket) { throw ValidationError(BlobBucket.hint) }
  }

  func run() async throws {
    try await Terminal.reporting {
      guard let bucket = to ?? from else { return }
      try await BlobMigration(
        data: data, bucket: bucket, direction: to != nil ? .toBucket : .fromBucket, console: TerminalConsole()
      ).run()
    }
  }
}
