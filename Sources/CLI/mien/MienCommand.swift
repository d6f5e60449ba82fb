public import ArgumentParser
import Foundation
public import MienCore
import MienRuntime

/// Root command: subcommands are thin wrappers around the functions that the server uses.
@main
struct MienCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mien",
    abstract: "Self-hosted liveness detection and face platform.",
    discussion: """
      Examples:
        mien serve                                   run the server and its pages
        mien doctor                                  check the installation
        mien check clip.mov                          is it a live head turn?
        mien analyze photo.jpg                       is it a photo of a screen?
        mien lock "at nine" --sequence smile,wink_l,smooch -o fox.gif
        mien scan reconstruct scan/ -o chair.glb
      """,
    version: "0.1.0",
    groupedSubcommands: [
      CommandGroup(name: "Server", subcommands: [ServeCommand.self, DoctorCommand.self]),
      CommandGroup(
        name: "Faces",
        subcommands: [
          CheckCommand.self, TrackCommand.self, CompareCommand.self, EnrollCommand.self, ExpressionsCommand.self,
        ]),
      CommandGroup(
        name: "Messages",
        subcommands: [
          LockMessageCommand.self, UnlockMessageCommand.self, RevokeMessageCommand.self, MakeGIFCommand.self,
          ReadIDCommand.self,
        ]),
      CommandGroup(name: "Photos", subcommands: [AnalyzeCommand.self, ProvenanceCommand.self, EvaluateCommand.self]),
      CommandGroup(name: "Scans", subcommands: [ScanCommand.self]),
      CommandGroup(
        name: "Maintenance",
        subcommands: [
          KeysCommand.self, UsersCommand.self, AuditCommand.self, RetentionCommand.self, BackupCommand.self,
          RestoreCommand.self, MigrateStoreCommand.self, MigrateBlobsCommand.self,
        ]),
    ])

  /// Runs the command given by the arguments and exits.
  static func main() async {
    // Before the arguments are parsed, and without a command: it is started by the server only, for each file.
    if CommandLine.arguments.dropFirst().elementsEqual([ProvenanceWorker.argument]) { ProvenanceWorker.run() }
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if let text = CommandSuggestion.text(for: arguments, of: Self.self) { throw ValidationError(text) }
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

/// Explanation of a subcommand that does not exist, with the name that was probably meant.
enum CommandSuggestion {
  /// Number of letters to change, insert or delete within which a name counts as a misspelling.
  private static let limit = 2

  /// Returns the explanation, or `nil` if all subcommands that the arguments name exist.
  static func text(for arguments: [String], of root: any ParsableCommand.Type) -> String? {
    var command = root
    var path = [name(of: root)]
    for (index, word) in arguments.enumerated() {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
      // `mien help …` names a subcommand, too.
      if index == 0, word == "help" { continue }
      guard let next = subcommands.first(where: { name(of: $0) == word }) else {
        let parent = path.joined(separator: " ")
        let near = OptionCatalog.nearest(word, among: subcommands.map(name), within: limit)
        let question = near.map { " Did you mean '\(parent) \($0)'?" } ?? ""
        return "'\(word)' is not a command of \(parent).\(question)"
      }
      command = next
      path.append(word)
    }
    return nil
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? String(describing: command).lowercased()
  }
}

/// Levels of assurance as values of options: `basic`, `standard`, `high`.
extension AssuranceLevel: ExpressibleByArgument {}
