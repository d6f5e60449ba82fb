import HTTPTypes
import Testing

@testable import MienServer

/// Methods supported by each path.
@Suite struct `Route table` {
  private static let routes: [(path: String, method: HTTPRequest.Method)] = [
    ("/", .post), ("/v1/checks", .post), ("/v1/checks/:id", .get), ("/v1/checks/:id", .delete),
    ("/v1/checks/new", .post), ("/v1/scans/:id/files/**", .get), ("/v1/uploads/:id", .head),
    ("/v1/uploads/:id", .patch),
  ]
  private static let cases: [(path: String, methods: Set<HTTPRequest.Method>)] = [
    ("/", [.post]), ("", [.post]), ("/v1/checks", [.post]), ("/v1/checks/x", [.get, .head, .delete]),
    ("/v1/checks/new", [.post]), ("//v1//checks//x/", [.get, .head, .delete]),
    ("/v1/scans/s/files/a/b.png", [.get, .head]), ("/v1/scans/s/files", []), ("/v1/uploads/u", [.head, .patch]),
    ("/v1", []), ("/v1/checks/x/y", []), ("/V1/checks", []),
  ]

  private static let table: RouteTable = {
    var table = RouteTable()
    for route in routes {
      table.add(
        route.path, route.method, RoutePolicy(.key, origins: route.path.hasPrefix("/v1/uploads") ? .uploads : .api))
    }
    return table
  }()

  @Test(arguments: cases) func `the most specific pattern determines the methods`(
    path: String, methods: Set<HTTPRequest.Method>
  ) {
    #expect(Self.table.methods(at: path) == methods)
  }

  @Test func `a preflight request gets the route's CORS policy`() {
    #expect(Self.table.origins(at: "/v1/uploads/u") == .uploads)
    #expect(Self.table.origins(at: "/v1/checks/x") == .api)
    #expect(Self.table.origins(at: "/scans") == .none)
  }
}
