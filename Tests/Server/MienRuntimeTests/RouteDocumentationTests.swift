import Foundation
import HTTPTypes
import Logging
import MienPlatform
import Testing

@testable import MienRuntime
@testable import MienServer

/// Routes of a whole server and their policies, compared with the API's specification.
@Suite struct `Routes and their documentation` {
  /// Documented operation.
  private struct Operation {
    let path: String
    let method: String
    /// Names of the security schemes of each alternative; an empty alternative needs no credential. `nil`: not stated.
    let stated: [Set<String>]?

    var alternatives: [Set<String>] { stated ?? [] }

    var isOpen: Bool { alternatives.isEmpty || alternatives.contains([]) }
    var acceptsToken: Bool {
      alternatives.contains {
        !$0.isDisjoint(with: ["checkToken", "performanceToken", "messageReceipt", "captureReceipt"])
      }
    }

    func accepts(_ scheme: String) -> Bool { alternatives.contains { $0.contains(scheme) } }
  }

  /// Routes of compatible APIs, which their vendors document, and `OPTIONS` of an upload, which is that of all uploads.
  private static let undocumented: Set<String> = [
    "POST /", "POST /v2/api/identity/sdk/session/generate", "POST /v2/api/identity/sdk/liveness/token",
    "OPTIONS /v1/uploads/{}",
  ]

  /// Removes the names of parameters, which differ.
  private static func generic(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.hasPrefix(":") || part.hasPrefix("{") || part == "**" ? "{}" : String(part)
    }.joined(separator: "/")
  }

  private static func documented() throws -> [String: Operation] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Web/openapi.json")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    var operations: [String: Operation] = [:]
    for (path, methods) in paths {
      for case (let method, let operation as [String: Any]) in methods {
        let stated = (operation["security"] as? [[String: Any]])?.map { Set($0.keys) }
        operations["\(method.uppercased()) \(generic(path))"] = Operation(path: path, method: method, stated: stated)
      }
    }
    return operations
  }

  private static func routes(in folder: String) async throws -> [String: RoutePolicy] {
    let runtime = try await ServerRuntime(
      InProcessServer.settings(folder), console: RecordingConsole(), stopsOnSignals: false)
    let table = MienApplication.routeTable(
      realms: runtime.realms, settings: ServerSettings(),
      monitor: DependencyHealthMonitor([], clock: SystemClock()), logger: Logger(label: "test"))
    return Dictionary(
      uniqueKeysWithValues: table.routes.map { ("\($0.method.rawValue) \(generic($0.path))", $0.policy) })
  }

  @Test func `every route is documented, and every documented operation has a route`() async throws {
    try await withTemporaryDirectory { folder in
      let routes = Set(try await Self.routes(in: folder).keys).subtracting(Self.undocumented)
      let documented = Set(try Self.documented().keys)
      #expect(routes.subtracting(documented).sorted() == [], "routes without documentation")
      #expect(documented.subtracting(routes).sorted() == [], "documentation without a route")
    }
  }

  @Test func `the documented credentials are those that a route accepts`() async throws {
    try await withTemporaryDirectory { folder in
      let routes = try await Self.routes(in: folder)
      for (name, operation) in try Self.documented() {
        guard let policy = routes[name] else { continue }
        let credentials = policy.credentials
        #expect(operation.stated != nil, "\(name) does not state its credentials")
        // A key for what everybody may read is not documented.
        if credentials.contains(.apiKey), !credentials.contains(.none) {
          #expect(operation.accepts("apiKey"), "\(name): API key is not documented")
        }
        if operation.accepts("apiKey") { #expect(credentials.contains(.apiKey), "\(name): API key") }
        if operation.acceptsToken { #expect(credentials.contains(.token), "\(name): token") }
        // The account's own routes read the cookie themselves.
        if operation.accepts("session"), !["POST /v1/sign-out", "GET /v1/account"].contains(name) {
          #expect(credentials.contains(.session), "\(name): session")
        }
        let isOpen = credentials.contains(.none) || credentials.contains(.demo)
        // Receipts of messages are verified by the handler, which explains what is missing.
        if !operation.accepts("messageReceipt") { #expect(isOpen == operation.isOpen, "\(name): without credentials") }
      }
    }
  }

  @Test func `routes that delete, enroll or show personal data are audited`() async throws {
    try await withTemporaryDirectory { folder in
      let routes = try await Self.routes(in: folder)
      let audited = Set(routes.filter { $0.value.audit != nil }.keys)
      #expect(
        audited == [
          "GET /v1/checks/{}/images/{}", "GET /v1/checks/{}/clip", "DELETE /v1/checks/{}", "DELETE /v1/people/{}",
          "POST /v1/people/{}/template", "PUT /v1/people/{}/template", "DELETE /v1/people/{}/template",
          "GET /v1/captures/{}/parts/{}", "GET /v1/captures/{}/parts/burst/{}", "GET /v1/captures/{}/visualizations/{}",
          "GET /v1/captures/{}/reception", "DELETE /v1/captures/{}", "DELETE /v1/devices/{}",
          "GET /v1/scans/{}/files/{}",
          "GET /v1/scans/{}/results/{}", "GET /v1/scans/{}/depth/{}", "GET /v1/scans/{}/export",
          "DELETE /v1/scans/{}", "GET /v1/subjects/{}/export", "DELETE /v1/subjects/{}", "DELETE /v1/messages/{}",
        ])
    }
  }
}
