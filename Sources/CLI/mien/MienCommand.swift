import ArgumentParser
import Foundation

/// Root command: subcommands are thin wrappers around the functions that the server uses.
@main
struct MienCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mien",
    abstract: "Self-hosted liveness detection and face platform.",
    version: "0.1.0",
    subcommands: [
      ServeCommand.self, DoctorCommand.self, TrackCommand.self, CheckCommand.self, EnrolCommand.self,
      CompareCommand.self, ExpressionsCommand.self, MakeGIFCommand.self, ReadIDCommand.self,
      AnalyzeCommand.self, EvaluateCommand.self, ScanCommand.self, LockMessageCommand.self, UnlockMessageCommand.self,
      KeysCommand.self, UsersCommand.self, AuditCommand.self,
      RetentionCommand.self,
      BackupCommand.self, RestoreCommand.self, MigrateStoreCommand.self, MigrateBlobsCommand.self,
    ])

  /// Runs the command given by the arguments and exits.
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

  /// Exits the process without running the exit handlers of libraries.
  ///
  /// Threads of the inference runtime, the database and the network may still be running, and the static destructors of
  /// C++ libraries would destroy data that these threads use: of the servers that failed because their port was taken,
  /// one in several hundred ended with signal 11 instead of exit code 2.
  private static func leave(_ code: ExitCode) -> Never {
    fflush(nil)
    _exit(code.rawValue)
  }
}
