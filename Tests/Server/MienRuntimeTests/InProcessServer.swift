import AsyncHTTPClient
import Foundation
import MienServer
import MienChecks
import NIOCore
import NIOHTTP1
import Testing

@testable import MienRuntime

/// Server that runs in the test's process.
struct InProcessServer {
  let url: String
  /// API key, which is shown at the first start on a data folder only.
  let key: String?

  /// Runs a server on a data folder and a free port while `work` runs, then stops it gracefully.
  static func run<Value: Sendable>(
    on data: String, console: RecordingConsole = RecordingConsole(),
    _ work: @Sendable (InProcessServer) async throws -> Value
  ) async throws -> Value {
    let server = try await ServerRuntime(settings(data), console: console, stopsOnSignals: false)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      while console.result(after: "Listening on ") == nil {
        try await Task.sleep(for: .milliseconds(10))
      }
      let running = InProcessServer(
        url: try #require(console.result(after: "Listening on ")), key: console.result(after: "API key: "))
      let value: Value
      do {
        value = try await work(running)
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
      try await group.waitForAll()
      return value
    }
  }

  /// Settings of a server without models and browser client, whose checks accept claimed observations.
  static func settings(_ data: String) -> RuntimeSettings {
    var settings = RuntimeSettings(
      store: StoreLocation(data: data, store: nil), assets: AssetLocation(models: data + "/no-models"))
    settings.http.port = 0
    settings.http.web = data + "/no-web"
    settings.engines = 1
    settings.checks.allowsClaims = true
    return settings
  }

  /// Sends a GET request; returns the status and the members of the JSON response.
  func get(_ path: String, key: String? = nil) async throws -> (status: Int, body: [String: Any]) {
    try await send(HTTPClientRequest(url: url + path), key: key)
  }

  /// Sends a POST request with a JSON body.
  func post(_ path: String, json: String, key: String? = nil) async throws -> (status: Int, body: [String: Any]) {
    var request = HTTPClientRequest(url: url + path)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/json")
    request.body = .bytes(ByteBuffer(string: json))
    return try await send(request, key: key)
  }

  /// Client that waits as long as it takes: the tests beside this one may keep the threads of the process busy.
  private static let client = HTTPClient(
    eventLoopGroupProvider: .singleton,
    configuration: HTTPClient.Configuration(timeout: .init(connect: .hours(1), read: .hours(1))))

  private func send(_ request: HTTPClientRequest, key: String?) async throws -> (status: Int, body: [String: Any]) {
    var request = request
    if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
    let response = try await Self.client.execute(request, timeout: .hours(1))
    let bytes = try await response.body.collect(upTo: 1 << 20)
    let body = try? JSONSerialization.jsonObject(with: Data(bytes.readableBytesView)) as? [String: Any]
    return (Int(response.status.code), body ?? [:])
  }

  /// Expects a status in response to a GET request.
  func expect(
    _ status: Int, at path: String, key: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let response = try await get(path, key: key)
    #expect(response.status == status, sourceLocation: sourceLocation)
  }

  /// Creates a check and returns its ID.
  func createCheck(key: String) async throws -> String {
    let response = try await post("/v1/checks", json: #"{"reference": "order 7"}"#, key: key)
    try #require(response.status == 201)
    return try #require(response.body["id"] as? String)
  }
}
