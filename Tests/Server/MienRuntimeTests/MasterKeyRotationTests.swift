import Foundation
import MienFiles
import MienSecurity
import Testing

@testable import MienRuntime

/// Rotation of the master keys, complete and interrupted.
@Suite struct `Master key rotation` {
  private func keyring(_ folder: String) throws -> KeyringFile {
    try #require(KeyringFile(try InputFile.bytes(folder + "/" + DataDirectory.keyringName)))
  }

  private func rotate(_ folder: String, onlyFinishes: Bool = false) async throws -> RecordingConsole {
    let console = RecordingConsole()
    try await MasterKeyRotation(
      of: StoreLocation(data: folder, store: nil), blobs: nil, onlyFinishes: onlyFinishes, console: console
    ).run()
    return console
  }

  @Test func `all data is readable under the new keys afterward`() async throws {
    try await withTemporaryDirectory { folder in
      let (key, check) = try await InProcessServer.run(on: folder) { server in
        let key = try #require(server.key)
        return (key, try await server.createCheck(key: key))
      }
      let digests = try ["", "/sandbox"].map { try DataDirectory.keyringDigest(folder + $0) }
      let console = try await rotate(folder)
      #expect(console.results.map { $0.prefix { $0 != ":" } } == ["live", "sandbox"])
      for (realm, digest) in zip(["", "/sandbox"], digests) {
        #expect(try DataDirectory.keyringDigest(folder + realm) != digest)
        #expect(try !keyring(folder + realm).isRotating)
      }
      try await InProcessServer.run(on: folder) { server in
        let read = try await server.get("/v1/checks/\(check)", key: key)
        #expect(read.body["reference"] as? String == "order 7")
      }
    }
  }

  @Test func `an interrupted rotation resumes in its realm and the other realm gets no new key`() async throws {
    try await withTemporaryDirectory { folder in
      let (key, check) = try await InProcessServer.run(on: folder) { server in
        let key = try #require(server.key)
        return (key, try await server.createCheck(key: key))
      }
      // Interrupted right after the new key was added: all data is still under the old one.
      var file = try keyring(folder)
      var generator = SystemRandomNumberGenerator()
      file.begin(MasterKeyring.makeKey(using: &generator), at: SystemClock().timeOfDay(), entries: 0)
      try DataDirectory.replaceKeyring(folder, by: file.bytes)
      let draft = folder + "/" + DataDirectory.keyringName + "." + UUID().uuidString
      try Data("draft".utf8).write(to: URL(fileURLWithPath: draft))
      let sandbox = try DataDirectory.keyringDigest(folder + "/sandbox")
      // A server may run in between.
      try await InProcessServer.run(on: folder) { server in
        try await server.expect(200, at: "/v1/checks/\(check)", key: key)
      }
      let console = try await rotate(folder)
      #expect(console.notes.contains("live: resuming the interrupted rotation."))
      #expect(console.results.map { $0.prefix { $0 != ":" } } == ["live"])
      #expect(try !keyring(folder).isRotating)
      #expect(try DataDirectory.keyringDigest(folder + "/sandbox") == sandbox)
      #expect(!FileManager.default.fileExists(atPath: draft))
      try await InProcessServer.run(on: folder) { server in
        try await server.expect(200, at: "/v1/checks/\(check)", key: key)
      }
    }
  }

  @Test func `finishing a rotation creates no key`() async throws {
    try await withTemporaryDirectory { folder in
      try await InProcessServer.run(on: folder) { _ in }
      let digest = try DataDirectory.keyringDigest(folder)
      #expect(try await rotate(folder, onlyFinishes: true).results.isEmpty)
      #expect(try DataDirectory.keyringDigest(folder) == digest)
    }
  }

  @Test func `rotation is rejected while the server runs and without server data`() async throws {
    try await withTemporaryDirectory { folder in
      try await InProcessServer.run(on: folder) { _ in
        let digest = try DataDirectory.keyringDigest(folder)
        await #expect(throws: OperationError.self) { _ = try await rotate(folder) }
        #expect(try DataDirectory.keyringDigest(folder) == digest)
      }
      await #expect(throws: OperationError.self) { _ = try await rotate(folder + "/nothing") }
    }
  }
}
