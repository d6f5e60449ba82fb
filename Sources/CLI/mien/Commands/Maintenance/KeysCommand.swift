internal import ArgumentParser
internal import Foundation
internal import MienAccess
internal import MienChecks
internal import MienCore
internal import MienFiles
internal import MienPlatform
internal import MienRuntime

/// `mien keys`: manages the API keys of integrators.
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Create, list, rotate, and revoke API keys and access keys.",
    discussion: "Can run while the server is running; changes take effect within a second.",
    subcommands: [Add.self, List.self, Rotate.self, Revoke.self, Remove.self, RotateMasterKeyCommand.self])

  enum Kind: String, ExpressibleByArgument, CaseIterable { case api, aws }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create a key and print it once.",
      discussion: """
        api: a key for /v1; only its digest is stored. aws: an access key for AWS-compatible clients; its secret is stored \
        encrypted under data/mien.keyring, because Signature Version 4 needs it on both sides.
        """)

    @Argument(help: "api or aws.")
    var kind: Kind
    @Option(help: "Display name of the API key.")
    var name: String?
    @Option(
      help: """
        Scope of the API key: checks, captures, scans, messages, webhooks, read, or admin; repeatable. Default: all \
        scopes.
        """,
      transform: KeysCommand.scope)
    var scope: [APIKeyScope] = []
    @Option(help: "Days until the API key expires (default: never).")
    var days: Int?
    @Flag(help: "Create a key for the sandbox, which shares no data with the live realm.")
    var sandbox = false
    @OptionGroup var store: StoreOptions
    @Flag(help: "Print as JSON.")
    var json = false

    func validate() throws {
      guard (1...3650).contains(days ?? 1) else { throw ValidationError("--days must be 1 to 3650.") }
      guard kind == .api || (name == nil && scope.isEmpty && days == nil) else {
        throw ValidationError("--name, --scope and --days are of API keys.")
      }
    }

    private struct AWSLine: Encodable {
      let accessKeyID: String
      let secretAccessKey: String

      enum CodingKeys: String, CodingKey {
        case accessKeyID = "aws_access_key_id"
        case secretAccessKey = "aws_secret_access_key"
      }
    }

    func run() async throws {
      let realm = sandbox ? Realm.sandbox : .live
      try await KeysCommand.reporting {
        var generator = SystemRandomNumberGenerator()
        switch kind {
        case .api:
          let key = APIKeyService.newKey(of: realm, using: &generator)
          _ = try await store.location.apiKeys(realm).add(
            key, name: name, scopes: scope.isEmpty ? nil : Set(scope),
            lifetime: days.map { .seconds(Double($0) * 86_400) }, by: AuditLog.commandLine)
          try Terminal.say(json ? JSONText.make(["api_key": key]) : "API key: \(key)")
        case .aws:
          let key = try await store.location.accessKeys(realm).make(
            at: SystemClock().timeOfDay(), using: &generator)
          let line = AWSLine(accessKeyID: key.id, secretAccessKey: key.secret)
          try Terminal.say(
            json
              ? JSONText.make(line) : "aws_access_key_id = \(key.id)\naws_secret_access_key = \(key.secret)")
        }
      }
      Terminal.note("Keep this key: it is shown only now.")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the IDs of API keys and AWS-compatible access keys.")

    @Flag(help: "Use the sandbox's keys instead of the live ones.")
    var sandbox = false
    @OptionGroup var store: StoreOptions

    func run() async throws {
      try await KeysCommand.reporting { try await list(sandbox ? .sandbox : .live) }
    }

    private func list(_ realm: Realm) async throws {
      let database = try await store.location.open(realm)
      let now = SystemClock().timeOfDay()
      for key in try await database.keys() {
        let scopes = key.scopes.map { $0.map(\.rawValue).sorted().joined(separator: ",") } ?? "everything"
        let state = key.isGood(at: now) ? "active" : key.revoked == nil ? "expired" : "revoked"
        let used = key.lastUsed.map { "used " + KeysCommand.text($0) } ?? "never used"
        let end = key.expires.map { "until " + KeysCommand.text($0) } ?? ""
        let words = [key.id, KeysCommand.text(key.created), state, scopes, used, end, key.name ?? ""]
        try Terminal.say(words.filter { !$0.isEmpty }.joined(separator: "  "))
      }
      for key in try await store.location.accessKeys(realm).list() {
        try Terminal.say("\(key.id)  \(KeysCommand.text(key.created))")
      }
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create a replacement for an API key; the old key stays valid for a while.")

    @Argument(help: "ID of the old key, key_….")
    var id: String
    @Option(help: "Hours for which the old key stays valid.")
    var overlapHours = 24
    @Flag(help: "Use the sandbox's keys.")
    var sandbox = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
      guard (0...8760).contains(overlapHours) else { throw ValidationError("--overlap-hours must be 0 to 8760.") }
    }

    func run() async throws {
      let realm = sandbox ? Realm.sandbox : .live
      var generator = SystemRandomNumberGenerator()
      let key = APIKeyService.newKey(of: realm, using: &generator)
      try await KeysCommand.reporting {
        _ = try await store.location.apiKeys(realm).replace(
          id, by: key, overlap: .seconds(Double(overlapHours) * 3600), actor: AuditLog.commandLine)
      }
      try Terminal.say("API key: \(key)")
      Terminal.note("Keep this key: it is shown only now.")
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Revoke an API key.")

    @Argument(help: "ID of the key, key_….")
    var id: String
    @Flag(help: "Use the sandbox's keys.")
    var sandbox = false
    @OptionGroup var store: StoreOptions

    func run() async throws {
      try await KeysCommand.reporting {
        try await store.location.apiKeys(sandbox ? .sandbox : .live).revoke(id, by: AuditLog.commandLine)
      }
      Terminal.note("Revoked.")
    }
  }

  private static func scope(_ name: String) throws -> APIKeyScope {
    guard let scope = APIKeyScope(rawValue: name) else {
      throw ValidationError("A scope is one of \(APIKeyScope.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return scope
  }

  /// Converts a ``ServiceError`` to a ``OperationError`` with the same reason.
  private static func reporting(_ work: () async throws -> Void) async throws {
    try await Terminal.reporting {
      do { try await work() } catch let error as ServiceError { throw OperationError(error.reason) }
    }
  }

  private static func text(_ time: UnixTime) -> String {
    Date(timeIntervalSince1970: Double(time.milliseconds) / 1000).formatted(.iso8601)
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Delete an AWS-compatible access key.")

    @Argument(help: "ID of the access key.")
    var id: String
    @OptionGroup var store: StoreOptions

    func run() async throws {
      try await KeysCommand.reporting {
        guard try await store.location.accessKeys(Realm(ofAccessKey: id)).remove(id) else {
          throw OperationError("There is no access key \(id) in \(store.data).")
        }
      }
      Terminal.note("Removed.")
    }
  }
}

extension KeysCommand {
  /// `mien keys rotate-master-key`: rotates the master key and re-encrypts all data that is encrypted under it.
  struct RotateMasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate-master-key",
      abstract: "Re-encrypt all data with a new master key.",
      discussion: """
        Stop all servers that use the data first; pass --store or MIEN_STORE, and --blobs or MIEN_BLOBS, as for the \
        server. The new key is added to mien.keyring, all encrypted data is re-encrypted, and then the old key is \
        removed. An interrupted rotation continues when the command is run again; a server may run in between. \
        Derived parts of the old key remain for messages until they end, for session tokens and frames of pending \
        clips for two days, and for the audit log's links. Keep the old file as long as backups that need it, and \
        copy the new one to all servers.
        """)

    @OptionGroup var store: StoreOptions
    @Option(help: ArgumentHelp("Object store with the files, given as in the server's --blobs.", valueName: "url"))
    var blobs: String?
    @Flag(help: "Create no new key; finish an interrupted rotation and delete old keys that are no longer needed.")
    var finish = false

    func validate() throws {
      if let blobs, !BlobBucket.isURL(blobs) { throw ValidationError(BlobBucket.hint) }
    }

    func run() async throws {
      try await Terminal.reporting {
        try await MasterKeyRotation(
          of: store.location, blobs: blobs, onlyFinishes: finish, console: TerminalConsole()
        ).run()
      }
    }
  }
}
