import HTTPTypes
import MienService
import Testing

@testable import MienServer

/// Tables of required scopes and of audited requests.
@Suite struct `Guarding tables` {
  @Test(arguments: [
    ("/v1/checks", APIKeyScope?.some(.checks)), ("/v1/checks/chk_1/images/0", .checks), ("/v1/people/anna", .checks),
    ("/v2/api/identity/sdk/session/generate", .checks), ("/v1/captures/cap_1", .captures), ("/v1/devices", .captures),
    ("/v1/scans/s", .scans), ("/v1/subjects", .scans), ("/v1/uploads/u", .scans), ("/upload", .scans),
    ("/v1/faces", .checks), ("/v1/messages", .messages), ("/v1/webhooks/w/ping", .webhooks), ("/v1/keys", .admin),
    ("/v1/audit", .admin), ("//v1//keys", .admin), ("/v1/keysandmore", nil), ("/v1", nil), ("/", nil), ("", nil),
    ("/v1/Keys", nil), ("/v1/checks2", nil),
  ])
  func `every address of the API has a scope, and unknown ones take a key with everything`(
    path: String, scope: APIKeyScope?
  ) {
    #expect(RequiredScope.needed(path) == scope)
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, "/v1/checks/chk_1/images/0", AuditAction?.some(.viewedImages), "check/chk_1"),
    (.get, "/v1/checks/chk_1/clip", .viewedClip, "check/chk_1"),
    (.delete, "/v1/checks/chk_1", .erasedCheck, "check/chk_1"),
    (.delete, "/v1/people/anna", .erasedPerson, "person/anna"),
    (.get, "/v1/captures/cap_1/parts/photo", .viewedCapture, "capture/cap_1"),
    (.delete, "/v1/captures/cap_1", .erasedCapture, "capture/cap_1"),
    (.get, "/v1/captures/cap_1/parts/burst/2", .viewedCapture, "capture/cap_1"),
    (.get, "/v1/scans/s/files/a/b.png", .viewedScan, "scan/s"), (.get, "/v1/scans/s/export", .viewedScan, "scan/s"),
    (.get, "/v1/scans/s", nil, ""), (.get, "/v1/scans", nil, ""),
    (.get, "/v1/subjects/anna/export", .viewedScan, "subject/anna"),
    (.delete, "/v1/scans/s", .erasedScan, "scan/s"), (.delete, "/v1/subjects/anna", .erasedScan, "subject/anna"),
    (.get, "/v1/checks/chk_1", nil, ""), (.post, "/v1/checks", nil, ""), (.get, "/v1/checks", nil, ""),
    (.delete, "/v1/checks/chk_1/images", nil, ""),
  ])
  func `what shows or erases a person is written down`(
    method: HTTPRequest.Method, path: String, action: AuditAction?, subject: String
  ) {
    let deed = AuditEvent(method, path)
    #expect(deed?.action == action)
    #expect(deed == nil || deed?.subject == subject)
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, "/v1/checks/chk_1", true), (.get, "/v1/checks/chk_1/images/0", true),
    (.get, "/v1/checks/chk_1/clip", true), (.get, "/v1/checks/chk_1/token", false), (.post, "/v1/checks", false),
    (.get, "/v1/captures/cap_1", true), (.get, "/v1/captures/cap_1/parts/photo", true),
    (.delete, "/v1/captures/cap_1", false), (.post, "/v1/captures", false), (.post, "/v1/devices", false),
    (.get, "/v1/scans", true), (.get, "/v1/scans/s/results/mesh.ply", true), (.patch, "/v1/scans/s", false),
    (.delete, "/v1/scans/s", false), (.get, "/v1/subjects", true), (.delete, "/v1/subjects/anna", false),
    (.head, "/v1/uploads/u", true), (.patch, "/v1/uploads/u", false), (.post, "/upload", false),
    (.delete, "/v1/people/anna", false), (.post, "/v1/people/anna/enrolment", false),
    (.post, "/v1/messages", false), (.post, "/v1/messages/recordings", false), (.get, "/v1/webhooks", false),
    (.post, "/v1/webhooks", false), (.get, "/v1/keys", false), (.post, "/v1/keys", false), (.get, "/v1/audit", false),
    (.get, "/v1/anything-new", false), (.get, "/v2/api/identity/sdk/session/1", true),
    (.post, "/v2/api/identity/sdk/session/generate", false), (.get, "//v1//keys", false),
  ])
  func `an operator may do everything, a verifier read verdicts and results`(
    method: HTTPRequest.Method, path: String, isForVerifiers: Bool
  ) {
    let (scope, reading) = (RequiredScope.needed(path), RequiredScope.isReading(method, path))
    #expect(RequiredScope.countsSignIn(path))
    #expect(AccountRole.operator.allows(scope, reading: reading))
    #expect(AccountRole.verifier.allows(scope, reading: reading) == isForVerifiers)
  }

  @Test(arguments: [
    "/", "/scans", "/assets/page/account.js", "/metrics", "/health/live", "/v1/sign-in", "/v1/account",
    "/v1/demo/checks", "/v1/messages/n", "/v1/messages/n/gif", "/v1/messages/n/unlock", "/v1/messages/number",
    "/v1/messages/recordings/gif", "/v1/performances/prf_1/frames", "/v1/performances/prf_1/observations",
    "/v1/verify-file", "/.well-known/jwks.json", "/v1", "",
  ])
  func `what anybody may ask is the same for whoever is signed in`(path: String) {
    #expect(!RequiredScope.countsSignIn(path))
  }

  @Test func `the cookie is for this host alone, out of scripts' reach`() {
    #expect(
      SessionCookie.header("secret", isSecure: true)
        == "__Host-mien=secret; Path=/; Secure; HttpOnly; SameSite=Strict")
    #expect(SessionCookie.header("secret", isSecure: false) == "mien=secret; Path=/; HttpOnly; SameSite=Strict")
    #expect(SessionCookie.header("", isSecure: true).hasSuffix("; Max-Age=0"))
  }

  @Test func `an entry is one line of plain names, whatever a path had in it`() {
    let entry = AuditEntry(
      at: UnixTime(milliseconds: 0), actor: "", action: .viewedClip,
      subject: "check/a\nb\u{0}é " + String(repeating: "x", count: 500))
    #expect(entry.actor == "?" && entry.subject.hasPrefix("check/a?b????x") && entry.subject.utf8.count == 160)
  }

  @Test func `a body may take its grace and the time of its bytes`() {
    let pace = MinimumBodyRate(grace: .seconds(30), bytesPerSecond: 16384)
    #expect(pace.allowed(after: 0) == .seconds(30))
    #expect(pace.allowed(after: 4 << 20) == .seconds(30 + 256))
  }
}
