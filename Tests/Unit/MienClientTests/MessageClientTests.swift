import Foundation
import MienClient
import MienCore
import MienAPI
import Testing

/// Requests and responses of the message client.
@Suite struct `Message client` {
  private let server = URL(string: "https://mien.example/proxied/")!
  private static let message = MessageResponse(
    id: "0123-4567-89AB-CTVX", state: "ready", mode: "open", avatar: "bear", steps: 3, viewsLeft: nil,
    requiresFrames: false, requiresPassive: true, requiresLink: false, createdAt: "2026-01-01T00:00:00Z",
    expiresAt: "2026-01-02T00:00:00Z")

  private static func reply(_ value: some Encodable, status: Int = 200) throws -> ScriptedServer.Answer {
    .raw(APIResponse(status: status, body: Array(try JSONEncoder().encode(value))))
  }

  @Test func `a message is locked with the key, checked without its text and deleted with the receipt`() async throws {
    var locked = Self.message
    locked.receipt = "rcp_secret"
    let transport = ScriptedServer(
      try Self.reply(locked, status: 201), try Self.reply(Self.message),
      .raw(APIResponse(status: 200, body: Array("GIF89a".utf8))), .raw(APIResponse(status: 204)))
    let client = MessageClient(server: server, key: "mien_key", transport: transport)
    var options = CreateMessageRequest(text: "hello", steps: ["smile", "wink_l", "smooch"])
    options.requiresPassive = true
    #expect(try await client.lock(options).receipt == "rcp_secret")
    #expect(try await client.look(at: Self.message.id).requiresPassive)
    #expect(try await client.gif(of: Self.message.id) == Array("GIF89a".utf8))
    try await client.delete(Self.message.id, receipt: "rcp_secret")
    let calls = await transport.calls
    #expect(calls.map(\.method) == ["POST", "GET", "GET", "DELETE"])
    #expect(calls[0].url.absoluteString == "https://mien.example/proxied/v1/messages")
    #expect(calls[2].url.absoluteString.hasSuffix("/v1/messages/0123-4567-89AB-CTVX/gif"))
    #expect(
      calls.map { $0.headers["Authorization"] } == Array(repeating: "Bearer mien_key", count: 3) + ["Bearer rcp_secret"]
    )
    #expect(try JSONDecoder().decode(CreateMessageRequest.self, from: Data(calls[0].body ?? [])) == options)
  }

  @Test func `a performance sends its token, frames and observations`() async throws {
    let step = PerformanceStepResponse(
      state: "performing", face: "one-face", seen: "smile", hold: 0.5, neutral: true, performed: [], count: 3,
      repeated: false, source: "observed", remainingMilliseconds: 1000)
    let begun = PerformanceResponse(id: "prf_1", token: "token", steps: 3, expiresAt: "2026-01-01T00:03:00Z")
    let transport = ScriptedServer(try Self.reply(begun, status: 201), try Self.reply(step))
    let line = try await MessageClient(server: server, transport: transport).unlock(
      Self.message.id, linkKey: "abcdefghijklmnopqrstuv", client: "app")
    #expect(line.steps == 3 && !String(reflecting: line).contains("prf_1"))
    #expect(try await line.send(frame: [0xFF, 0xD8], capturedAt: .milliseconds(66.66)) == step)
    #expect(try await line.send(frame: [0x89, 0x50], capturedAt: .seconds(-1)) == step)
    #expect(try await line.send(observationLines: Array("{}".utf8)).seen == "smile")
    let calls = await transport.calls
    #expect(String(decoding: calls[0].body ?? [], as: UTF8.self) == #"{"link_key":"abcdefghijklmnopqrstuv"}"#)
    #expect(calls[0].headers["Authorization"] == nil && calls[1].headers["Authorization"] == "Bearer token")
    #expect(
      calls.dropFirst().map { $0.headers["Content-Type"] } == ["image/jpeg", "image/png", "application/x-ndjson"])
    #expect(calls[1].headers["Mien-Captured-At"] == "66.6" && calls[2].headers["Mien-Captured-At"] == "0.0")
    #expect(calls.dropFirst().allSatisfy { $0.headers["Mien-Client"] == "app" })
  }

  @Test(arguments: ["", "../../checks", "%2e%2e", String(repeating: "A", count: 65)])
  func `an invalid message ID does not become a path`(number: String) async throws {
    let transport = ScriptedServer(.silence)
    _ = await #expect(throws: ClientError.self) {
      try await MessageClient(server: server, transport: transport).look(at: number)
    }
    for call in await transport.calls {
      #expect(!call.url.absoluteString.contains("..") && !call.url.path.contains("%"))
    }
  }

  @Test func `an error response keeps its code and retry delay`() async throws {
    let transport = ScriptedServer(.problem("too-many-requests", status: 429, retryAfter: 7))
    let error = await #expect(throws: ClientError.self) {
      try await MessageClient(server: server, transport: transport).gif(of: Self.message.id)
    }
    #expect(error?.code == .tooManyRequests && error?.retryAfter == .seconds(7))
  }
}
