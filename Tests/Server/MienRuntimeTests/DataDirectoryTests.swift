import Foundation
import MienFiles
import MienPlatform
import Testing

@testable import MienRuntime

/// Lock, permissions and key files of the data folder.
@Suite struct `Data directory` {
  @Test func `only one lock is held until it is released`() async throws {
    try await withTemporaryDirectory { folder in
      let console = RecordingConsole()
      var lock = try DataDirectory.lockForServer(folder, console: console)
      #expect(lock != nil)
      #expect(throws: OperationError.self) { _ = try DataDirectory.lockForServer(folder, console: console) }
      lock = nil
      #expect(try DataDirectory.lockForServer(folder, console: console) != nil)
      #expect(console.notes.isEmpty)
    }
  }

  @Test func `server files are inaccessible to other users`() async throws {
    try await withTemporaryDirectory { folder in
      let keyring = folder + "/" + DataDirectory.keyringName
      _ = try DataDirectory.keyring(folder)
      try setMode(0o644, of: keyring)
      try setMode(0o755, of: folder)
      #expect(
        Set(DataDirectory.exposedPaths(of: folder).map { $0.prefix { $0 != " " } }) == [folder[...], keyring[...]])
      #expect(try Set(DataDirectory.secure(folder)) == [folder, keyring])
      #expect(try mode(of: folder) == 0o700)
      #expect(try mode(of: keyring) == 0o600)
      #expect(DataDirectory.exposedPaths(of: folder).isEmpty)
    }
  }

  @Test func `a world-readable folder with other content is rejected and left unchanged`() async throws {
    try await withTemporaryDirectory { folder in
      try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/letter.txt"))
      try setMode(0o755, of: folder)
      let error = #expect(throws: OperationError.self) { try DataDirectory.secure(folder) }
      #expect(error?.description.contains("holds other things than a server's data") == true)
      #expect(try mode(of: folder) == 0o755)
    }
  }

  @Test func `a keyring with invalid content is rejected`() async throws {
    try await withTemporaryDirectory { folder in
      try Data("short".utf8).write(to: URL(fileURLWithPath: folder + "/" + DataDirectory.keyringName))
      let error = #expect(throws: OperationError.self) { try DataDirectory.keyring(folder) }
      #expect(error?.description.contains("is not a keyring file") == true)
    }
  }

  @Test func `the reason of a failed operation is its text, or the system's`() throws {
    #expect(OperationError("it is no longer empty").fileReason == "it is no longer empty")
    let missing = #expect(throws: (any Error).self) {
      try FileManager.default.removeItem(atPath: "/nowhere/nothing")
    }
    #expect(missing?.fileReason.isEmpty == false)
  }

  @Test func `a keyring is created once`() async throws {
    try await withTemporaryDirectory { folder in
      _ = try DataDirectory.keyring(folder)
      let digest = try DataDirectory.keyringDigest(folder)
      _ = try DataDirectory.keyring(folder)
      #expect(try DataDirectory.keyringDigest(folder) == digest)
    }
  }

  @Test func `a database without its keyring stops startup before anything is written`() async throws {
    try await withTemporaryDirectory { folder in
      try await InProcessServer.run(on: folder) { _ in }
      let keyring = folder + "/" + DataDirectory.keyringName
      try FileManager.default.removeItem(atPath: keyring)
      let error = await #expect(throws: OperationError.self) { try await InProcessServer.run(on: folder) { _ in } }
      #expect(error?.description.hasPrefix("\(keyring) is missing") == true)
      #expect(!FileManager.default.fileExists(atPath: keyring))
    }
  }

  @Test func `commands do not open a store of another type than the server's`() async throws {
    try await withTemporaryDirectory { folder in
      try await InProcessServer.run(on: folder) { _ in }
      #expect(StoreLocationFile.read(in: folder) == StoreLocationFile.embedded)
      let elsewhere = StoreLocation(data: folder, store: "postgres://nobody@127.0.0.1:1/nothing")
      let error = await #expect(throws: OperationError.self) { try await elsewhere.open(.live) }
      #expect(error?.description.hasPrefix("The server of \(folder) keeps its records in that folder") == true)
    }
  }
}
