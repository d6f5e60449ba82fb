import ArgumentParser
import Foundation

/// The command line: thin shells around the same functions that the server calls.
@main
struct MienCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mien",
    abstract: "A live person in front of a camera? A self-hosted liveness platform.",
    version: "0.1.0",
    subcommands: [
      ServeCommand.self, DoctorCommand.self, TrackCommand.self, CheckCommand.self, EnrolCommand.self,
      ExpressionsCommand.self, MakeGIFCommand.self, ReadIDCommand.self,
      AnalyzeCommand.self, EvaluateCommand.self, ScanCommand.self, LockMessageCommand.self, UnlockMessageCommand.self,
      KeysCommand.self, UsersCommand.self, AuditCommand.self,
      RetentionCommand.self,
      BackupCommand.self, RestoreCommand.self, MigrateStoreCommand.self, MigrateBlobsCommand.self,
    ])

  /// Runs the command that the arguments name, and leaves.
  static func main() async {
    do {
      var command = try await asyncParseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      leave(.success)
    } catch {
      let code = exitCode(for: error)
      let text = fullMessage(for: error)
      if !text.isEmpty {
        if code == .success { print(text) } else { Terminal.note(text) }
      }
      leave(code)
    }
  }

  /// Ends the process without what libraries do at its end.
  ///
  /// Threads of the inference runtime, of the database and of the network may still be at work then, and the C++ libraries among them
  /// take their tables away under them: of servers that found their port taken, one in some hundreds ended with signal 11 instead of 2.
  private static func leave(_ code: ExitCode) -> Never {
    fflush(nil)
    _exit(code.rawValue)
  }
}
