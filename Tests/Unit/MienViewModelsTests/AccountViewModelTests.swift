import Foundation
import MienAPI
import MienClient
import MienViewModels
import Testing

/// Signing in to a guarded server, including the end of a session and a killed app.
@MainActor @Suite struct `Account view model` {
  private let store = MemoryStore()

  /// Server with one account.
  private actor AccountServer: Transport {
    private(set) var calls: [APIRequest] = []
    var status = 200

    func set(_ status: Int) { self.status = status }

    func send(_ call: APIRequest) async throws -> APIResponse {
      calls.append(call)
      if status != 200 {
        let problem = ProblemResponse(code: status == 401 ? "unauthorized" : "locked-out", status: status, detail: "")
        return APIResponse(status: status, body: Array(try JSONEncoder().encode(problem)))
      }
      let account = AccountResponse(
        name: "anna", role: "operator", realm: "live", expiresAt: "2026-01-01T00:00:00Z", csrfToken: "c")
      return APIResponse(
        status: 200, headers: ["set-cookie": "mien=secret; Path=/"], body: Array(try JSONEncoder().encode(account)))
    }
  }

  @Test func `a session survives a killed app and ends on this device with signing out`() async throws {
    let server = AccountServer()
    let flow = AccountViewModel(network: try network(server), store: store)
    #expect(flow.state == .signedOut && flow.problem == nil)
    await flow.signIn(name: "anna", password: "")
    #expect(await server.calls.isEmpty)
    await flow.signIn(name: "anna", password: "a long password")
    #expect(flow.state == .signedIn("anna") && flow.problem == nil)
    #expect(store.read("session").map { !String(decoding: $0, as: UTF8.self).contains("a long password") } == true)
    // The next app has only the store.
    let network = try network(server)
    let next = AccountViewModel(network: network, store: store)
    #expect(next.isSignedIn && network.credentials.current != nil)
    await next.signOut()
    #expect(!next.isSignedIn && network.credentials.current == nil && store.read("session") == nil)
    #expect(await server.calls.last?.headers["Cookie"] == "mien=secret")
  }

  @Test func `the session of another server is not used`() async throws {
    let server = AccountServer()
    await AccountViewModel(network: try network(server), store: store).signIn(name: "anna", password: "password")
    let other = FlowNetwork(server: try #require(URL(string: "https://other.example")), transport: server)
    #expect(!AccountViewModel(network: other, store: store).isSignedIn && other.credentials.current == nil)
  }

  @Test(arguments: [(401, "wrong-password"), (429, "locked-out")])
  func `a refused attempt has a message`(status: Int, code: String) async throws {
    let server = AccountServer()
    await server.set(status)
    let flow = AccountViewModel(network: try network(server), store: store)
    await flow.signIn(name: "anna", password: "password")
    #expect(flow.state == .signedOut && flow.problem?.code == code && store.read("session") == nil)
    let notices = try #require(flow.problem).notices()
    #expect(try Texts.load("en").first(notices)?.title.key.contains(code) == true)
  }

  @Test func `a session that the server no longer knows is removed`() async throws {
    let server = AccountServer()
    let network = try network(server)
    let flow = AccountViewModel(network: network, store: store)
    await flow.signIn(name: "anna", password: "password")
    await server.set(401)
    let effects = EffectRecorder()
    let enrollment = EnrollmentViewModel(network: network, camera: DrawnCamera(depth: 9), effects: effects.handler)
    await enrollment.begin(person: "p-1")
    #expect(enrollment.state == .problem(.signedOut))
    #expect(!flow.isSignedIn && flow.problem == .signedOut && store.read("session") == nil)
  }

  @Test func `a keychain that is full leaves nobody signed in`() async throws {
    store.fill()
    let network = try network(AccountServer())
    let flow = AccountViewModel(network: network, store: store)
    await flow.signIn(name: "anna", password: "password")
    #expect(flow.state == .signedOut && flow.problem == .lowStorage && network.credentials.current == nil)
  }
}
