import Foundation
import MienClient
import Testing

/// `URLSession` against other servers.
struct TransportTests {
  @Test func `a redirect is not followed because it would forward the secret`() async throws {
    // Python's file server redirects from a folder's name to the name with a trailing slash.
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("mien-redirect-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("v1/checks/chk_1"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    let (process, address) = try fileServer(root)
    defer { process.terminate() }
    let error = await #expect(throws: ClientError.self) {
      try await BackendClient(server: address, key: "k").result(of: "chk_1")
    }
    #expect(error?.code == .unreadable && error?.status == 301)
  }

  @Test(.timeLimit(.minutes(5))) func `requests canceled while their responses arrive end`() async throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("mien-canceled-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    try Data(count: 2000).write(to: root.appendingPathComponent("file"))
    let (process, address) = try fileServer(root)
    defer { process.terminate() }
    let transport = URLSessionTransport()
    let request = APIRequest(method: "GET", url: address.appendingPathComponent("file"))
    #expect(try await transport.send(request).body.count == 2000)
    for round in 0..<200 {
      let requests = Task {
        try await withThrowingTaskGroup(of: APIResponse.self) { group in
          for _ in 0..<5 { group.addTask { try await transport.send(request) } }
          // The first response cancels the others, as the end of a check does.
          if round.isMultiple(of: 2) { _ = try await group.next() } else { try await group.waitForAll() }
          group.cancelAll()
        }
      }
      try await Task.sleep(for: .microseconds(Int.random(in: 0...6000)))
      requests.cancel()
      _ = await requests.result
    }
    #expect(try await transport.send(request).body.count == 2000)
  }

  @Test(arguments: ["http://127.0.0.1:1", "http://name.invalid", "nonsense"])
  func `an unreachable server is reported`(address: String) async throws {
    let backend = BackendClient(server: try #require(URL(string: address)), key: "k")
    await #expect(throws: ClientError(.unreachable, detail: "")) { try await backend.create() }
  }

  /// Starts a file server on a free port.
  private func fileServer(_ root: URL) throws -> (Process, URL) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", root.path,
    ]
    let printed = Pipe()
    process.standardOutput = printed
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains(")") {
      let bytes = printed.fileHandleForReading.availableData
      guard !bytes.isEmpty else { break }
      text += String(decoding: bytes, as: UTF8.self)
    }
    let address = text.split(separator: "(").last?.split(separator: ")").first.flatMap { URL(string: "\($0)") }
    return (process, try #require(address))
  }
}
