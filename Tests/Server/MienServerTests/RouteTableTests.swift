import HTTPTypes
import Testing

@testable import MienServer

/// Methods supported by each path.
@Suite struct `The table of routes` {
  private static let routes: [(path: String, method: HTTPRequest.Method)] = [
    ("/", .post), ("/v1/checks", .post), ("/v1/checks/{id}", .get), ("/v1/checks/:id", .delete),
    ("/v1/checks/new", .post), ("/v1/scans/:id/files/**", .get), ("/v1/uploads/:id", .head),
    ("/v1/uploads/:id", .patch),
  ]
  private static let cases: [(path: String, methods: Set<HTTPRequest.Method>)] = [
    ("/", [.post]), ("", [.post]), ("/v1/checks", [.post]), ("/v1/checks/x", [.get, .head, .delete]),
    ("/v1/checks/new", [.post]), ("//v1//checks//x/", [.get, .head, .delete]),
    ("/v1/scans/s/files/a/b.png", [.get, .head]), ("/v1/scans/s/files", []), ("/v1/uploads/u", [.head, .patch]),
    ("/v1", []), ("/v1/checks/x/y", []), ("/V1/checks", []),
  ]

  @Test(arguments: cases) func `says what an address knows, by the words before the parameters`(
    path: String, methods: Set<HTTPRequest.Method>
  ) {
    #expect(RouteTable(Self.routes).methods(at: path) == methods)
  }
}
