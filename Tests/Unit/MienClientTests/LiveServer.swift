import Foundation
import MienClient

/// Instance of `mien serve` for the tests, on a port chosen by the system, with a temporary data folder.
///
/// A shell monitors it and kills the server when the tests' end of its input closes, including after a crash.
final class LiveServer: Sendable {
  struct NotStarted: Error {
    let printed: String
  }

  let address: URL
  let key: String
  private let shell: Process
  private let life = Pipe()

  private static let watch = """
    data=$1; shift; "$@" & server=$!; exec >/dev/null; cat >/dev/null; kill -9 $server; wait; rm -rf "$data"
    """

  /// - Parameter arguments: additional options of `mien serve`.
  init(_ program: URL, arguments: [String] = []) throws {
    let data = FileManager.default.temporaryDirectory.appendingPathComponent("mien-client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let web = Place.package.appendingPathComponent("Web").path
    shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments =
      ["-c", Self.watch, "sh", data.path, program.path, "serve", "--port", "0", "--data", data.path, "--web", web]
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
      found = Self.read(text)
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
  private static func read(_ text: String) -> (String, URL)? {
    var key: String?
    var address: URL?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("API key: ") { key = String(line.dropFirst(9)) }
      if line.hasPrefix("Listening on ") { address = URL(string: String(line.dropFirst(13))) }
    }
    guard let key, let address else { return nil }
    return (key, address)
  }

  var backend: BackendClient { BackendClient(server: address, key: key) }

  /// Kills the server, as in a power failure.
  func cutPower() {
    guard shell.isRunning else { return }
    try? life.fileHandleForWriting.close()
    shell.waitUntilExit()
  }

  deinit { cutPower() }
}
