import ArgumentParser
import Foundation
import MienFiles
import MienRuntime
import MienPlatform
import MienAccess

/// `mien users`: manages the users who can sign in to the pages, and their roles.
struct UsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users", abstract: "Add, list, and remove users who can sign in to the pages, and change passwords.",
    discussion: """
      Can run while the server is running; changes take effect within a second. Passwords are read from standard input, so \
      that they do not appear in process lists: mien users add anna --role verifier < password.txt
      """, subcommands: [Add.self, List.self, Remove.self, Password.self])

  enum Role: String, ExpressibleByArgument, CaseIterable {
    case `operator`, verifier

    var account: AccountRole { self == .operator ? .operator : .verifier }
  }

  struct RealmOptions: ParsableArguments {
    @Flag(help: "Use the sandbox's users instead of the live ones.")
    var sandbox = false
    @OptionGroup var store: StoreOptions

    func accounts() async throws -> AccountService { try await store.location.accounts(sandbox ? .sandbox : .live) }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a user; reads the password from standard input.")

    @Argument(help: "User name: 1 to 64 characters of a–z 0–9 - _ .")
    var name: String
    @Option(help: "operator: full access to the realm. verifier: read-only access to results.")
    var role: Role
    @OptionGroup var realm: RealmOptions

    func run() async throws {
      try await UsersCommand.reporting {
        try await realm.accounts().add(
          name, role: role.account, password: try UsersCommand.password(), by: AuditLog.commandLine)
      }
      Terminal.note("Added.")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List users with their roles and when their passwords were set.")

    @OptionGroup var realm: RealmOptions

    func run() async throws {
      try await UsersCommand.reporting {
        for account in try await realm.accounts().accounts() {
          let since = Date(timeIntervalSince1970: Double(account.changed.milliseconds) / 1000).formatted(.iso8601)
          try Terminal.say("\(account.name)  \(account.role.rawValue)  password since \(since)")
        }
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove a user and end their sessions.")

    @Argument(help: "User name.")
    var name: String
    @OptionGroup var realm: RealmOptions

    func run() async throws {
      try await UsersCommand.reporting { try await realm.accounts().remove(name, by: AuditLog.commandLine) }
      Terminal.note("Removed.")
    }
  }

  struct Password: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Change a user's password and end their sessions.")

    @Argument(help: "User name.")
    var name: String
    @OptionGroup var realm: RealmOptions

    func run() async throws {
      try await UsersCommand.reporting {
        try await realm.accounts().changePassword(of: name, to: try UsersCommand.password(), by: AuditLog.commandLine)
      }
      Terminal.note("Changed.")
    }
  }

  /// Reads a password from the terminal or standard input.
  private static func password() throws -> String {
    let bytes = try PasswordPrompt.read("Password: ", upTo: 1024)
    guard let text = String(validating: bytes, as: UTF8.self),
      let line = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first
    else { throw OperationError("The password is no text.") }
    return String(line)
  }

  /// Converts a ``ServiceError`` to a ``OperationError`` with the same reason.
  private static func reporting(_ work: () async throws -> Void) async throws {
    try await Terminal.reporting {
      do { try await work() } catch let error as ServiceError { throw OperationError(error.reason) }
    }
  }
}
