import ArgumentParser

/// The command line: thin shells around the same functions that the server calls.
@main
struct Mien: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mien",
    abstract: "A live person in front of a camera? A self-hosted liveness platform.",
    version: "0.1.0",
    subcommands: [
      Serve.self, Doctor.self, Track.self, Check.self, Enrol.self, Expressions.self, MakeGIF.self, ReadID.self,
      Analyze.self, Evaluate.self, Scan.self, LockMessage.self, UnlockMessage.self, Keys.self, Audit.self, Backup.self,
      Restore.self, MigrateStore.self,
    ])
}
