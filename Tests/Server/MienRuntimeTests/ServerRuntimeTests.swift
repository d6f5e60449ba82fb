import Foundation
import MienFiles
import MienServer
import MienPlatform
import MienAccess
import Testing

@testable import MienRuntime

/// Start, requests, and graceful stop of a whole server in this process.
@Suite struct `Server runtime` {
  @Test func `a new server responds, prints one API key and creates checks`() async throws {
    try await withTemporaryDirectory { folder in
      let console = RecordingConsole()
      try await InProcessServer.run(on: folder + "/data", console: console) { server in
        try await server.expect(200, at: "/health/live")
        let key = try #require(server.key)
        let check = try await server.createCheck(key: key)
        let read = try await server.get("/v1/checks/\(check)", key: key)
        #expect(read.status == 200)
        #expect(read.body["reference"] as? String == "order 7")
        try await server.expect(401, at: "/v1/checks/\(check)")
      }
      #expect(console.results.count { $0.hasPrefix("API key: ") } == 1)
      #expect(console.notes.contains { $0.hasPrefix("NOT READY: ") }, "the models are missing")
      #expect(try mode(of: folder + "/data") == 0o700)
      #expect(try mode(of: folder + "/data/" + DataDirectory.keyringName) == 0o600)
    }
  }

  @Test func `a restarted server prints no key and still has its checks`() async throws {
    try await withTemporaryDirectory { folder in
      let (key, check) = try await InProcessServer.run(on: folder) { server in
        let key = try #require(server.key)
        return (key, try await server.createCheck(key: key))
      }
      try await InProcessServer.run(on: folder) { server in
        #expect(server.key == nil)
        try await server.expect(200, at: "/v1/checks/\(check)", key: key)
      }
    }
  }

  @Test func `keys of one realm do not open the other`() async throws {
    try await withTemporaryDirectory { folder in
      try await InProcessServer.run(on: folder) { server in
        let live = try #require(server.key)
        var generator = SystemRandomNumberGenerator()
        let sandbox = APIKeyService.newKey(of: .sandbox, using: &generator)
        let location = StoreLocation(data: folder, store: nil)
        _ = try await location.apiKeys(.sandbox).add(
          sandbox, name: nil, scopes: nil, lifetime: nil, by: "test")
        let check = try await server.createCheck(key: sandbox)
        try await server.expect(200, at: "/v1/checks/\(check)", key: sandbox)
        try await server.expect(404, at: "/v1/checks/\(check)", key: live)
      }
    }
  }

  @Test func `a second server on the same folder does not start until the first has stopped`() async throws {
    try await withTemporaryDirectory { folder in
      try await InProcessServer.run(on: folder) { _ in
        let error = await #expect(throws: OperationError.self) {
          _ = try await ServerRuntime(
            InProcessServer.settings(folder), console: RecordingConsole(), stopsOnSignals: false)
        }
        #expect(error?.description.hasPrefix("A server is at work on \(folder) already.") == true)
      }
      try await InProcessServer.run(on: folder) { server in
        try await server.expect(200, at: "/health/live")
      }
    }
  }

  @Test func `a port in use is an operational error`() async throws {
    try await withTemporaryDirectory { folder in
      try await InProcessServer.run(on: folder + "/one") { server in
        var settings = InProcessServer.settings(folder + "/two")
        settings.http.port = try #require(URL(string: server.url)?.port)
        let (port, second) = (settings.http.port, settings)
        let error = await #expect(throws: OperationError.self) {
          _ = try await ServerRuntime(second, console: RecordingConsole(), stopsOnSignals: false)
        }
        #expect(error?.description.hasPrefix("Port \(port) is in use. Try --port ") == true)
        #expect(!FileManager.default.fileExists(atPath: folder + "/two"))
      }
    }
  }
}
