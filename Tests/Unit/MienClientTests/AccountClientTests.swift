import Foundation
import MienAPI
import MienClient
import MienCore
import Testing

/// Signing in, and the credentials of the requests that follow.
@MainActor @Suite struct `Account client` {
  private static let server = URL(string: "https://Mien.example:443")
  private static let account = AccountResponse(
    name: "anna", role: "operator", realm: "live", expiresAt: "2026-01-01T00:00:00Z", csrfToken: "csrf-1")

  private static func signedIn(cookie: String) throws -> ScriptedServer.Answer {
    .raw(
      APIResponse(
        status: 200, headers: ["set-cookie": cookie], body: Array(try JSONEncoder().encode(account))))
  }

  @Test func `the session of a signed-in user goes with later requests, and ends with signing out`() async throws {
    let check = CreateCheckResponse(id: "chk_1", token: "t", expiresAt: "2026-01-01T00:00:00Z")
    let server = ScriptedServer(
      try Self.signedIn(cookie: "__Host-mien=secret; Path=/; HttpOnly"),
      .raw(APIResponse(status: 200, body: Array(try JSONEncoder().encode(check)))),
      .raw(APIResponse(status: 204)), .problem("unauthorized", status: 401))
    let credentials = APICredentials()
    let client = AccountClient(server: try #require(Self.server), credentials: credentials, transport: server)
    let session = try await client.signIn(name: "anna", password: "a long password")
    #expect(session.cookie == "__Host-mien=secret" && session.name == "anna" && credentials.current != nil)
    let credential = try #require(credentials.current)
    #expect(!"\(session)".contains("secret") && !"\(credential)".contains("secret"))
    _ = try await client.create(.onDeviceForTests)
    await client.signOut()
    #expect(credentials.current == nil)
    await #expect(throws: ClientError(.unauthorized, detail: "")) { try await client.create(CreateCheckRequest()) }
    let calls = await server.calls
    #expect(calls.map(\.url.path) == ["/v1/sign-in", "/v1/checks", "/v1/sign-out", "/v1/checks"])
    // The scheme's own port is left out, as browsers do: the server compares the origin with its host.
    #expect(calls[0].headers["Origin"] == "https://mien.example" && calls[0].headers["Cookie"] == nil)
    for call in calls[1...2] {
      #expect(call.headers["Cookie"] == "__Host-mien=secret" && call.headers["X-CSRF-Token"] == "csrf-1")
      #expect(call.headers["Authorization"] == nil)
    }
    #expect(calls[3].headers["Cookie"] == nil)
  }

  @Test(arguments: ["", "other=secret; Path=/", "mien=; Path=/"])
  func `a response without a session cookie signs nobody in`(cookie: String) async throws {
    let credentials = APICredentials()
    let client = AccountClient(
      server: try #require(Self.server), credentials: credentials,
      transport: ScriptedServer(try Self.signedIn(cookie: cookie)))
    await #expect(throws: ClientError(.unreadable, detail: "")) {
      try await client.signIn(name: "anna", password: "a long password")
    }
    #expect(credentials.current == nil)
  }

  @Test func `a credential of its own takes precedence over the fallback`() {
    let user = APICredentials(.bearer("user"))
    let upload = APICredentials(fallback: user)
    #expect(upload.current == .bearer("user"))
    upload.current = .bearer("check")
    #expect(upload.current == .bearer("check") && user.current == .bearer("user"))
    upload.current = nil
    user.current = nil
    #expect(upload.current == nil)
  }

  @Test func `an invalid pseudonym is not sent`() async throws {
    let server = ScriptedServer(.silence)
    let client = AccountClient(server: try #require(Self.server), credentials: APICredentials(), transport: server)
    await #expect(throws: ClientError(.badValue, detail: "")) { try await client.enroll("../people", depth: []) }
    #expect(await server.calls.isEmpty)
  }
}

extension CreateCheckRequest {
  fileprivate static var onDeviceForTests: CreateCheckRequest { CreateCheckRequest(person: "p-1", depth: true) }
}
