import ArgumentParser
import Foundation
import MienService

/// `mien keys`: who may talk to the server.
struct Keys: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make, list and remove the keys of integrators.",
    discussion: "Works on the database beside a running server; what is changed counts from the next request on.",
    subcommands: [Add.self, List.self, Remove.self])

  enum Kind: String, ExpressibleByArgument, CaseIterable { case api, aws }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a key and print it once.",
      discussion: """
        api: a key for /v1; only its digest is kept. aws: an access key for clients of AWS; its secret is kept sealed \
        under data/mien.seal, because Signature Version 4 needs it on both sides.
        """)

    @Argument(help: "api or aws.")
    var kind: Kind
    @Flag(help: "A key of the sandbox, which shares no data with the live space.")
    var sandbox = false
    @OptionGroup var place: StorePlace
    @Flag(help: "Print as JSON.")
    var json = false

    private struct AWSLine: Encodable {
      let accessKeyID: String
      let secretAccessKey: String

      enum CodingKeys: String, CodingKey {
        case accessKeyID = "aws_access_key_id"
        case secretAccessKey = "aws_secret_access_key"
      }
    }

    func run() async throws {
      let space = sandbox ? Space.sandbox : .live
      let store = try await place.open(space)
      var dice = SystemRandomNumberGenerator()
      switch kind {
      case .api:
        let key = try await APIKeys(store: store, space: space).make(at: SystemClock().timeOfDay(), using: &dice)
        try Terminal.say(json ? JSONText.make(["api_key": key]) : "API key: \(key)")
      case .aws:
        let keys = AccessKeys(store: store, seal: try DataFolder.seal(place.folder(space)), space: space)
        let key = try await keys.make(at: SystemClock().timeOfDay(), using: &dice)
        let line = AWSLine(accessKeyID: key.id, secretAccessKey: key.secret)
        try Terminal.say(
          json
            ? JSONText.make(line) : "aws_access_key_id = \(key.id)\naws_secret_access_key = \(key.secret)")
      }
      Terminal.note("Keep this key: it is shown only now.")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the access keys of the AWS dialect by their ids.")

    @Flag(help: "The sandbox's keys instead of the live ones.")
    var sandbox = false
    @OptionGroup var place: StorePlace

    func run() async throws {
      let space = sandbox ? Space.sandbox : .live
      let keys = AccessKeys(
        store: try await place.open(space), seal: try DataFolder.seal(place.folder(space)), space: space)
      for key in try await keys.list() {
        let made = Date(timeIntervalSince1970: Double(key.created.milliseconds) / 1000)
        try Terminal.say("\(key.id)  \(made.formatted(.iso8601))")
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove an access key of the AWS dialect.")

    @Argument(help: "The access key's id.")
    var id: String
    @OptionGroup var place: StorePlace

    func run() async throws {
      let space = Space(ofAccessKey: id)
      let keys = AccessKeys(
        store: try await place.open(space), seal: try DataFolder.seal(place.folder(space)), space: space)
      guard try await keys.remove(id) else { throw ToolError("There is no access key \(id) in \(place.data).") }
      Terminal.note("Removed.")
    }
  }
}
