import Foundation
import MienClient
import MienCore
import MienAPI
import Testing

struct ClientErrorTests {
  private let server = URL(string: "https://liveness.example/prefix/")!

  private func line(_ transport: ScriptedServer) throws -> CheckConnection {
    try CheckConnection(
      server: server, session: CheckSession(id: "chk_1", token: "mt_secret"), client: "phone-1", transport: transport)
  }

  @Test func `error codes match the API documentation`() throws {
    let document = Place.package.appendingPathComponent("Web/openapi.json")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: document)) as? [String: Any]
    let schemas = (json?["components"] as? [String: Any])?["schemas"] as? [String: Any]
    let properties = (schemas?["Problem"] as? [String: Any])?["properties"] as? [String: Any]
    let codes = try #require((properties?["code"] as? [String: Any])?["enum"] as? [String])
    #expect(Set(codes) == Set(ClientError.Code.ofServer.map(\.text)))
  }

  @Test func `a frame is encoded as the API documentation says`() async throws {
    let transport = ScriptedServer(.step(.of("tracking", "turn")))
    let step = try await line(transport).send(frame: [1, 2, 3], capturedAt: .milliseconds(1234.56))
    #expect(step.state == "tracking" && step.remainingMilliseconds == 7000)
    let call = try #require(await transport.calls.first)
    #expect(call.url.absoluteString == "https://liveness.example/prefix/v1/checks/chk_1/frames")
    #expect(call.method == "POST" && call.body == [1, 2, 3])
    #expect(call.headers["Authorization"] == "Bearer mt_secret")
    #expect(call.headers["Content-Type"] == "image/jpeg")
    #expect(call.headers["Mien-Client"] == "phone-1")
    #expect(call.headers["Mien-Captured-At"] == "1234.5")
  }

  @Test func `a problem becomes an error with its code, message, wait and last step`() async throws {
    let over = StepResponse.of("failed", "done", reason: "wrong-direction")
    let transport = ScriptedServer(.problem("check-ended", status: 409, retryAfter: 3, step: over))
    let error = await #expect(throws: ClientError.self) {
      try await line(transport).send(frame: [], capturedAt: .zero)
    }
    #expect(error?.code == .checkEnded && error?.status == 409 && error?.detail == "The words of check-ended.")
    #expect(error?.retryAfter == .seconds(3) && error?.step == over)
  }

  @Test(arguments: [
    APIResponse(status: 502, body: Array("<html>Bad Gateway</html>".utf8)), APIResponse(status: 200),
    APIResponse(status: 200, body: Array("{}".utf8)), APIResponse(status: 500, body: Array(#"{"code": "busy"}"#.utf8)),
    APIResponse(status: 302, headers: ["location": "https://elsewhere.example"]),
  ])
  func `responses of another server are distinguished`(reply: APIResponse) async throws {
    let transport = ScriptedServer(.raw(reply))
    let error = await #expect(throws: ClientError.self) {
      try await line(transport).send(frame: [], capturedAt: .zero)
    }
    #expect(error?.code == .unreadable && error?.status == reply.status)
  }

  @Test(arguments: ["", "../../etc/passwd", "a b", "chk_1?x=1", String(repeating: "a", count: 65)])
  func `an invalid id never becomes a path`(id: String) async throws {
    let transport = ScriptedServer(.silence)
    #expect(throws: ClientError(.notFound, detail: "")) {
      try CheckConnection(server: server, session: CheckSession(id: id, token: "t"), client: "c", transport: transport)
    }
    let backend = BackendClient(server: server, key: "k", transport: transport)
    await #expect(throws: ClientError(.notFound, detail: "")) { try await backend.delete(id) }
    await #expect(throws: ClientError(.notFound, detail: "")) { try await backend.delete(person: id) }
    #expect(await transport.calls.isEmpty)
  }

  @Test func `backend requests carry the API key in the header of each dialect`() async throws {
    let created = CreateCheckResponse(id: "chk_1", token: "mt_1", expiresAt: "2026-01-01T00:00:00.000Z")
    let session = YouverifySessionResponse(sessionID: "s-1")
    let token = YouverifyTokenResponse(authToken: "a-1")
    let transport = ScriptedServer(
      .raw(APIResponse(status: 201, body: Array(try JSONEncoder().encode(created)))),
      .raw(APIResponse(status: 200, body: Array(try JSONEncoder().encode(session)))),
      .raw(APIResponse(status: 200, body: Array(try JSONEncoder().encode(token)))),
      .raw(APIResponse(status: 204)))
    let backend = BackendClient(server: server, key: "mien_key", transport: transport)
    let tasks = [TaskProperties(task: .blink(BlinkTaskClass(maxBlinks: 2)), timeout: 9000).request]
    #expect(try await backend.create(CreateCheckRequest(reference: "order 42", tasks: tasks)) == created)
    #expect(try await backend.generateSession(publicMerchantID: "m") == "s-1")
    let given = try await backend.generateToken(publicMerchantID: "m", sessionID: "s-1")
    #expect(given == CheckSession(id: "s-1", token: "a-1"))
    try await backend.delete("chk_1")

    let calls = await transport.calls
    #expect(
      calls.map(\.url.path) == [
        "/prefix/v1/checks", "/prefix/v2/api/identity/sdk/session/generate",
        "/prefix/v2/api/identity/sdk/liveness/token", "/prefix/v1/checks/chk_1",
      ])
    #expect(calls.map(\.method) == ["POST", "POST", "POST", "DELETE"])
    #expect(calls.map { $0.headers["Authorization"] } == ["Bearer mien_key", nil, nil, "Bearer mien_key"])
    #expect(calls.map { $0.headers["Token"] } == [nil, "mien_key", "mien_key", nil])
    let body = String(decoding: calls[0].body ?? [], as: UTF8.self)
    #expect(
      body
        == #"{"reference":"order 42","tasks":[{"difficulty":"medium","kind":"blink","max_blinks":2,"timeout":9000}]}"#)
    #expect(String(decoding: calls[1].body ?? [], as: UTF8.self) == #"{"metadata":{},"publicMerchantID":"m"}"#)
    #expect(
      String(decoding: calls[2].body ?? [], as: UTF8.self)
        == #"{"deviceCorrelationId":"s-1","publicMerchantID":"m"}"#)
  }

  @Test func `printing reveals no secrets, images or faces`() throws {
    let session = CheckSession(id: "chk_1", token: "mt_secret")
    let data = LivenessData(
      sessionId: "chk_1", faceImage: "data:image/jpeg;base64,mt_secret", livenessClip: nil, passed: true, metadata: nil,
      error: nil, reason: nil)
    let call = APIRequest(method: "GET", url: server, headers: ["Authorization": "mt_secret"])
    let user = LivenessUser(firstName: "mt_secret")
    var dumped = "\(session) \(data) \(call) \(user)"
    dump(session, to: &dumped)
    dump(data, to: &dumped)
    dump(call, to: &dumped)
    dump(user, to: &dumped)
    #expect(!dumped.contains("mt_secret"), "\(dumped)")
  }
}
