import Foundation
import MienClient

/// Instance of `mien serve` for the tests, on a port chosen by the system, with a temporary data folder.
///
/// A shell monitors it and kills the server when the tests' end of its input closes, including after a crash. A line of
/// input keeps the folder for another instance. `/bin/true` makes dash clear the signal mask, which it inherits from the
/// thread that starts it: with SIGCHLD blocked, it would wait forever.
final class LiveServer: Sendable {
  struct NotStarted: Error {
    let printed: String
  }

  let address: URL
  let key: String
  private let program: URL
  private let data: URL
  private let arguments: [String]
  private let shell: Process
  private let life = Pipe()

  private static let watch = """
    data=$1; shift; "$@" & server=$!; exec >/dev/null; /bin/true; read -r keep; kept=$?
    kill -9 $server; wait
    [ $kept = 0 ] || rm -rf "$data"
    """

  /// - Parameter arguments: additional options of `mien serve`.
  convenience init(_ program: URL, arguments: [String] = []) throws {
    let name = "mien-client-\(UUID().uuidString)"
    try self.init(
      program, arguments: arguments, data: FileManager.default.temporaryDirectory.appendingPathComponent(name))
  }

  private init(_ program: URL, arguments: [String], data: URL, port: Int = 0, key known: String? = nil) throws {
    self.program = program
    self.data = data
    self.arguments = arguments
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let web = Place.package.appendingPathComponent("Web").path
    shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments =
      [
        "-c", Self.watch, "sh", data.path, program.path, "serve", "--port", "\(port)", "--data", data.path, "--web",
        web,
      ]
      + arguments
    shell.standardInput = life
    let printed = Pipe()
    shell.standardOutput = printed
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    var text = ""
    var found: (key: String, address: URL)?
    while found == nil {
      let bytes = printed.fileHandleForReading.availableData
      guard !bytes.isEmpty else { break }
      text += String(decoding: bytes, as: UTF8.self)
      found = Self.read(text, known)
    }
    guard let found else {
      try? life.fileHandleForWriting.close()
      throw NotStarted(printed: text)
    }
    (key, address) = found
    // A server whose output is not read would block.
    printed.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
  }

  /// Returns the key and the address, once both lines are complete.
  private static func read(_ text: String, _ known: String?) -> (String, URL)? {
    var key = known
    var address: URL?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("API key: ") { key = String(line.dropFirst(9)) }
      if line.hasPrefix("Listening on ") { address = URL(string: String(line.dropFirst(13))) }
    }
    guard let key, let address else { return nil }
    return (key, address)
  }

  /// Adds an account for a person who creates checks, as an operator of the server does.
  func addUser(_ name: String, password: String) throws {
    let command = Process()
    command.executableURL = program
    command.arguments = ["users", "add", name, "--role", "operator", "--data", data.path]
    let input = Pipe()
    command.standardInput = input
    command.standardOutput = FileHandle.nullDevice
    try command.run()
    try input.fileHandleForWriting.write(contentsOf: Data(password.utf8))
    try input.fileHandleForWriting.close()
    command.waitUntilExit()
    guard command.terminationStatus == 0 else { throw NotStarted(printed: "users add") }
  }

  var backend: BackendClient { BackendClient(server: address, key: key) }

  /// Kills the server, as in a power failure.
  func cutPower() {
    guard shell.isRunning else { return }
    try? life.fileHandleForWriting.close()
    shell.waitUntilExit()
  }

  /// Kills the server like ``cutPower()`` and keeps its folder for ``restarted()``.
  func crash() throws {
    try life.fileHandleForWriting.write(contentsOf: Data("keep\n".utf8))
    shell.waitUntilExit()
  }

  /// Starts another instance with the folder and the address of this one, which has crashed.
  func restarted() throws -> LiveServer {
    try LiveServer(program, arguments: arguments, data: data, port: address.port ?? 0, key: key)
  }

  deinit { cutPower() }
}
