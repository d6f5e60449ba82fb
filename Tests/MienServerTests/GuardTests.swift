import HTTPTypes
import MienService
import Testing

@testable import MienServer

/// The tables that say what a key must be good for and what is written down.
@Suite struct `Guarding tables` {
  @Test(arguments: [
    ("/v1/checks", KeyScope.checks), ("/v1/checks/chk_1/images/0", .checks), ("/v1/people/anna", .checks),
    ("/v2/api/identity/sdk/session/generate", .checks), ("/v1/captures/cap_1", .captures), ("/v1/devices", .captures),
    ("/v1/scans/s", .scans), ("/v1/messages", .messages), ("/v1/webhooks/w/ping", .webhooks), ("/v1/keys", .admin),
    ("/v1/audit", .admin), ("//v1//keys", .admin), ("/v1/keysandmore", nil), ("/v1", nil), ("/", nil), ("", nil),
    ("/v1/Keys", nil), ("/v1/checks2", nil),
  ])
  func `every address of the API has a scope, and unknown ones take a key with everything`(
    path: String, scope: KeyScope?
  ) {
    #expect(RouteScope.needed(path) == scope)
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, "/v1/checks/chk_1/images/0", AuditAction.sawPictures, "check/chk_1"),
    (.get, "/v1/checks/chk_1/clip", .sawFilm, "check/chk_1"),
    (.delete, "/v1/checks/chk_1", .erasedCheck, "check/chk_1"),
    (.delete, "/v1/people/anna", .erasedPerson, "person/anna"),
    (.get, "/v1/captures/cap_1/parts/photo", .sawCapture, "capture/cap_1"),
    (.delete, "/v1/captures/cap_1", .erasedCapture, "capture/cap_1"),
    (.get, "/v1/checks/chk_1", nil, ""), (.post, "/v1/checks", nil, ""), (.get, "/v1/checks", nil, ""),
    (.delete, "/v1/checks/chk_1/images", nil, ""),
  ])
  func `what shows or erases a person is written down`(
    method: HTTPRequest.Method, path: String, action: AuditAction?, subject: String
  ) {
    let deed = AuditedDeed(method, path)
    #expect(deed?.action == action)
    #expect(deed == nil || deed?.subject == subject)
  }

  @Test func `an entry is one line of plain names, whatever a path had in it`() {
    let entry = AuditEntry(
      at: UnixTime(milliseconds: 0), actor: "", action: .sawFilm,
      subject: "check/a\nb\u{0}é " + String(repeating: "x", count: 500))
    #expect(entry.actor == "?" && entry.subject.hasPrefix("check/a?b????x") && entry.subject.utf8.count == 160)
  }

  @Test func `a body may take its grace and the time of its bytes`() {
    let pace = BodyPace(grace: .seconds(30), bytesPerSecond: 16384)
    #expect(pace.allowed(after: 0) == .seconds(30))
    #expect(pace.allowed(after: 4 << 20) == .seconds(30 + 256))
  }
}
