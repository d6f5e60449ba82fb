import Foundation
import MienStore

/// Database server for the tests, on a socket in a temporary folder; it ends with the process that started it.
final class PostgresServer: Sendable {
  struct Missing: Error {}

  /// Folder of the PostgreSQL executables, which distributions do not add to the search path.
  private static let programs: String? = {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let folders = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "/usr/lib/postgresql/\($0)/bin" }
    let found = (folders + ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"])
      .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    if found == nil { print("SKIPPED PostgreSQL: initdb not found; run scripts/install-system test") }
    return found
  }()

  static var isInstalled: Bool { programs != nil }

  /// Instance shared by all tests without special requirements.
  static let shared = Result { try PostgresServer() }

  /// Part of the URL, so that tests can search for the password in logs and errors.
  static let password = "swordfish-41"

  private let folder: String
  private let process = Process()
  private let commands = Pipe()

  init() throws {
    guard let programs = Self.programs else { throw Missing() }
    // Socket paths are limited to about a hundred bytes.
    folder = "/tmp/mien-pg-\(UInt32.random(in: 0 ... .max))"
    // PostgreSQL refuses to run as root; Debian's package creates a user for it.
    let script = """
      set -e
      me() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
      me mkdir -m 700 "$1"
      trap 'me "$0/pg_ctl" -D "$1/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$1"' EXIT
      me "$0/initdb" -D "$1/data" -U mien -A trust --no-sync --locale=C -E UTF8 >/dev/null
      start() { me "$0/pg_ctl" -D "$1/data" -w -l "$1/log" -o "-k '$1' -c listen_addresses='' -c fsync=off -c max_connections=400" start >/dev/null; }
      start "$@"
      echo ready
      while read -r word; do
        case $word in
          stop) me "$0/pg_ctl" -D "$1/data" -m fast -w stop >/dev/null ;;
          start) start "$@" ;;
        esac
        echo done
      done
      """
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script, programs, folder]
    process.standardInput = commands
    process.standardOutput = answers
    try process.run()
    try expectReply("ready")
  }

  private let answers = Pipe()

  private func expectReply(_ word: String) throws {
    let line = String(decoding: answers.fileHandleForReading.availableData, as: UTF8.self)
    guard line.contains(word) else { throw Missing() }
  }

  /// Executes `stop` or `start` and returns when it is complete.
  func send(_ word: String) throws {
    try commands.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
    try expectReply("done")
  }

  deinit { try? commands.fileHandleForWriting.close() }

  /// Returns a URL with a unique schema.
  func address(_ more: String = "", schema: String = "t\(UInt64.random(in: 0 ... .max))") throws -> PostgresURL {
    let text = "postgres://mien:\(Self.password)@/postgres?host=\(folder)&schema=\(schema)&pool_timeout=600\(more)"
    guard let address = PostgresURL(text) else { throw Missing() }
    return address
  }
}
