import ArgumentParser
import Foundation
import MienFiles
import MienRuntime
import MienPlatform
import MienAccess

/// `mien audit`: shows and verifies the log of accesses and deletions.
struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show the audit log and verify its integrity.",
    discussion: "Can run while the server is running.", subcommands: [Show.self, Verify.self])

  struct LogOptions: ParsableArguments {
    @Flag(help: "Use the sandbox's log instead of the live one.")
    var sandbox = false
    @OptionGroup var store: StoreOptions

    func log() async throws -> AuditLog { try await store.location.auditLog(sandbox ? .sandbox : .live) }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the latest entries, one per line.")

    @Option(help: "Number of entries.")
    var last = 100
    @Option(help: "Only entries about this person.")
    var person: String?
    @Option(help: "Only entries about this check or made with its token.")
    var check: String?
    @Option(help: "Only entries about this subject as KIND/ID, such as scan/ID, capture/ID or message/ID.")
    var about: String?
    @OptionGroup var log: LogOptions

    func validate() throws {
      guard (1...1_000_000).contains(last) else { throw ValidationError("--last must be 1 to 1000000.") }
      guard [person, check, about].count(where: { $0 != nil }) <= 1 else {
        throw ValidationError("Give one of --person, --check and --about.")
      }
    }

    func run() async throws {
      try await Terminal.reporting {
        let log = try await self.log.log()
        let subject = person.map { "person/\($0)" } ?? check.map { "check/\($0)" } ?? about
        let records: [ChainedAuditEntry]
        if let subject {
          records = try await log.records(about: subject).suffix(last)
        } else {
          records = try await log.last(last)
        }
        for record in records {
          let entry = record.entry
          let at = Date(timeIntervalSince1970: Double(entry.at.milliseconds) / 1000).formatted(.iso8601)
          try Terminal.say(
            [
              "\(record.number)", at, entry.actor, entry.action.rawValue, entry.subject,
              String(record.linkText.prefix(16)),
            ].joined(separator: "  "))
        }
      }
    }
  }

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Verify every link of the hash chain.",
      discussion: """
        Prints the number of entries and the last link. Store both elsewhere: without them, entries removed from the end \
        cannot be detected. Exits with 1 if the log was changed.
        """)

    @Option(help: "A previously stored entry, as NUMBER:LINK; it must still exist.")
    var expect: String?
    @OptionGroup var log: LogOptions

    func run() async throws {
      try await Terminal.reporting {
        let parts = expect?.split(separator: ":")
        let kept = try parts.map { parts in
          guard parts.count == 2, let number = Int64(parts[0]) else {
            throw OperationError("--expect must be NUMBER:LINK, as verify printed it.")
          }
          return (number: number, link: String(parts[1]))
        }
        switch try await self.log.log().verify(keeping: kept) {
        case .whole(let count, let head): try Terminal.say("\(count) entries, every link holds. Head: \(count):\(head)")
        case .broken(let number):
          Terminal.note("The log was changed: the link of entry \(number) does not hold.")
          throw ExitCode.failure
        case .missing(let number):
          Terminal.note("The log was changed: entry \(number) is not the one that was noted.")
          throw ExitCode.failure
        }
      }
    }
  }
}
