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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", root.path,
    ]
    let printed = Pipe()
    process.standardOutput = printed
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    var text = ""
    while !text.contains(")") {
      let bytes = printed.fileHandleForReading.availableData
      guard !bytes.isEmpty else { break }
      text += String(decoding: bytes, as: UTF8.self)
    }
    let address = try #require(
      text.split(separator: "(").last?.split(separator: ")").first.flatMap { URL(string: "\($0)") })
    let error = await #expect(throws: ClientError.self) {
      try await BackendClient(server: address, key: "k").result(of: "chk_1")
    }
    #expect(error?.code == .unreadable && error?.status == 301)
  }

  @Test(arguments: ["http://127.0.0.1:1", "http://name.invalid", "nonsense"])
  func `an unreachable server is reported`(address: String) async throws {
    let backend = BackendClient(server: try #require(URL(string: address)), key: "k")
    await #expect(throws: ClientError(.unreachable, detail: "")) { try await backend.create() }
  }
}
