internal import ArgumentParser
internal import MienRuntime

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
