import HTTPTypes
import Hummingbird
import MienPlatform
import MienAccess
import Testing

@testable import MienServer

/// Policies of routes, and limits that every request meets.
@Suite struct `Request security` {
  @Test(arguments: [
    (HTTPRequest.Method.get, APIKeyScope?.some(.checks), false, true), (.head, .scans, false, true),
    (.get, .captures, false, true), (.get, .checks, true, false), (.post, .checks, false, false),
    (.patch, .scans, false, false), (.delete, .captures, false, false), (.get, .webhooks, false, false),
    (.get, .admin, false, false), (.get, .messages, false, false), (.get, nil, false, false),
  ])
  func `an operator has every permission and a verifier only reads checks, captures and scans`(
    method: HTTPRequest.Method, scope: APIKeyScope?, revealsCredential: Bool, isForVerifiers: Bool
  ) {
    let policy = RoutePolicy(.key, scope, revealsCredential: revealsCredential)
    let isReading = policy.isReading(method)
    #expect(AccountRole.operator.allows(policy.scope, reading: isReading))
    #expect(AccountRole.verifier.allows(policy.scope, reading: isReading) == isForVerifiers)
  }

  @Test func `changes are audited separately from access`() {
    #expect(RoutePolicy.AuditRule(.deletedPerson, "person").isChange)
    #expect(RoutePolicy.AuditRule(.enrolledTemplate, "person").isChange)
    #expect(!RoutePolicy.AuditRule(.viewedClip, "check").isChange)
  }

  @Test func `the session cookie is limited to this host and hidden from scripts`() {
    let secure = SessionCookie.cookie("secret", isSecure: true)
    #expect(secure.name == "__Host-mien" && secure.value == "secret" && secure.path == "/")
    #expect(secure.secure && secure.httpOnly && secure.sameSite == .strict && secure.maxAge == nil)
    let plain = SessionCookie.cookie("secret", isSecure: false)
    #expect(plain.name == "mien" && !plain.secure && plain.httpOnly && plain.sameSite == .strict)
    #expect(SessionCookie.cookie("", isSecure: true).maxAge == 0)
  }

  @Test func `an audit entry is one line of plain names for any path`() {
    let entry = AuditEntry(
      at: UnixTime(milliseconds: 0), actor: "", action: .viewedClip,
      subject: "check/a\nb\u{0}é " + String(repeating: "x", count: 500))
    #expect(entry.actor == "?" && entry.subject.hasPrefix("check/a?b????x") && entry.subject.utf8.count == 160)
  }

  @Test func `the time limit of a body is a grace period plus its transfer time`() {
    let pace = MinimumBodyRate(grace: .seconds(30), bytesPerSecond: 16384)
    #expect(pace.allowed(after: 0) == .seconds(30))
    #expect(pace.allowed(after: 4 << 20) == .seconds(30 + 256))
  }
}
