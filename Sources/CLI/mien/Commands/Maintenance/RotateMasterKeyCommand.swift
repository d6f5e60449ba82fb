import ArgumentParser
import MienRuntime

extension KeysCommand {
  /// `mien keys rotate-seal`: rotates the master key and re-encrypts all data that is encrypted under it.
  struct RotateMasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate-seal",
      abstract: "Re-encrypt all data with a new master key.",
      discussion: """
        Stop all servers that use the data first; pass --store or MIEN_STORE, and --blobs or MIEN_BLOBS, as for the \
        server. The new key is added to mien.seal, all encrypted data is re-encrypted, and then the old key is \
        removed. An interrupted rotation continues when the command is run again; a server may run in between. \
        Derived parts of the old key remain for messages until they end, for session tokens and frames of pending \
        clips for two days, and for the audit log's links. Keep the old file as long as backups that need it, and \
        copy the new one to all servers.
        """)

    @OptionGroup var store: StoreOptions
    @Option(help: ArgumentHelp("Object store with the files, given as in the server's --blobs.", valueName: "url"))
    var blobs: String?
    @Flag(help: "Create no new key; finish an interrupted rotation and delete old keys that are no longer needed.")
    var finish = false

    func validate() throws {
      if let blobs, !BlobBucket.isURL(blobs) { throw ValidationError(BlobBucket.hint) }
    }

    func run() async throws {
      try await Terminal.reporting {
        try await MasterKeyRotation(
          of: store.location, blobs: blobs, onlyFinishes: finish, console: TerminalConsole()
        ).run()
      }
    }
  }
}
