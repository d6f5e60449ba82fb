import HTTPTypes
import MienModel
import MienService
import MienTestSupport
import MienWire
import NIOCore
import Testing

@testable import MienServer

/// Which requests may be answered without the chain of middleware.
@Suite struct `Kept results` {
  @Test(
    arguments: [
      ("/v1/checks/chk_1", "chk_1"), ("/v1/checks/chk_1/", nil), ("/v1/checks/", nil), ("/v1/checks", nil),
      ("//v1/checks/chk_1", nil), ("/v1//checks/chk_1", nil), ("/v1/checks/chk_1/images", nil),
      ("/v1/check/chk_1", nil),
      ("/V1/checks/chk_1", nil), ("/v1/checks/chk%5F1", nil), ("/v1/checks/..", nil), ("v1/checks/chk_1", nil),
      ("", nil),
    ] as [(String, String?)])
  func `are of addresses that are written as they should be`(path: String, id: String?) {
    #expect(KeptResults<ScriptedObserver>.check(path)?.text == id)
  }

  @Test func `need no entry in the audit log and no key but one that may read checks`() {
    let path = "/v1/checks/chk_1"
    #expect(AuditedDeed(.get, path) == nil)
    #expect(RouteScope.needed(path) == .checks && RouteScope.isReading(.get, path))
    #expect(!CrossOrigin<ServerContext>.isPublicFile(path), "its headers are those of what is the server's own")
  }

  @Test func `and new checks have replies as the encoder writes them`() throws {
    let check = CreateCheckReply(
      id: "chk_0tXr2-_", token: "eyJhbGciOiJFUzI1NiJ9.e30.c2ln-_", expiresAt: "2026-11-24T02:00:00.123Z")
    #expect(String(buffer: check.written) == String(buffer: Replies.encoded(check)))
  }
}
