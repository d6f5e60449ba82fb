import Foundation
import MienFiles
import Testing

@testable import MienRuntime

/// Backups of a running server, and restoration from them.
@Suite struct `Backup and restore` {
  @Test func `a backup of a running server restores its checks and keys`() async throws {
    try await withTemporaryDirectory { folder in
      let (data, backup, restored) = (folder + "/data", folder + "/backup", folder + "/restored")
      let (key, check) = try await InProcessServer.run(on: data) { server in
        let key = try #require(server.key)
        let check = try await server.createCheck(key: key)
        try ServerBackup(of: data, withKeyrings: true, console: RecordingConsole()).make(in: backup)
        return (key, check)
      }
      let console = RecordingConsole()
      try BackupRestoration(of: backup, keyrings: nil, console: console).make(in: restored)
      #expect(console.results.first?.hasPrefix("Restored ") == true)
      try await InProcessServer.run(on: restored) { server in
        #expect(server.key == nil)
        try await server.expect(200, at: "/v1/checks/\(check)", key: key)
      }
    }
  }

  @Test func `a backup without keyrings requires the matching ones`() async throws {
    try await withTemporaryDirectory { folder in
      let (data, backup) = (folder + "/data", folder + "/backup")
      try await InProcessServer.run(on: data) { _ in }
      try ServerBackup(of: data, withKeyrings: false, console: RecordingConsole()).make(in: backup)
      func restore(_ keyrings: String?) throws {
        try BackupRestoration(of: backup, keyrings: keyrings, console: RecordingConsole()).make(in: folder + "/new")
      }
      #expect(throws: OperationError.self) { try restore(nil) }
      let other = folder + "/other"
      for realm in ["", "/sandbox"] {
        try DataDirectory.make(other + realm)
        _ = try DataDirectory.keyring(other + realm)
      }
      let error = #expect(throws: OperationError.self) { try restore(other) }
      #expect(error?.description.contains("is not the keyring of this backup") == true)
      #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
      try restore(data)
      #expect(try DataDirectory.keyringDigest(folder + "/new") == (try DataDirectory.keyringDigest(data)))
    }
  }

  @Test func `a modified file is not restored`() async throws {
    try await withTemporaryDirectory { folder in
      let (data, backup) = (folder + "/data", folder + "/backup")
      try await InProcessServer.run(on: data) { _ in }
      try ServerBackup(of: data, withKeyrings: true, console: RecordingConsole()).make(in: backup)
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: backup + "/" + DataDirectory.database))
      try file.seek(toOffset: 30)
      try file.write(contentsOf: [0xA5, 0x5A])
      try file.close()
      let error = #expect(throws: OperationError.self) {
        try BackupRestoration(of: backup, keyrings: nil, console: RecordingConsole()).make(in: folder + "/new")
      }
      #expect(error?.description.contains("its digest differs") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["backup", "data"])
    }
  }

  @Test func `neither backup nor restore overwrites anything`() async throws {
    try await withTemporaryDirectory { folder in
      let (data, backup) = (folder + "/data", folder + "/backup")
      try await InProcessServer.run(on: data) { _ in }
      let maker = ServerBackup(of: data, withKeyrings: false, console: RecordingConsole())
      try maker.make(in: backup)
      #expect(throws: OperationError.self) { try maker.make(in: backup) }
      #expect(throws: OperationError.self) {
        try BackupRestoration(of: backup, keyrings: data, console: RecordingConsole()).make(in: data)
      }
      #expect(throws: OperationError.self) {
        try ServerBackup(of: folder + "/nothing", withKeyrings: false, console: RecordingConsole())
          .make(in: folder + "/new")
      }
    }
  }

  @Test(arguments: ["../mien.sqlite", "/etc/passwd", "a//b", ".", ""])
  func `a manifest with a file outside the backup is rejected`(_ path: String) async throws {
    #expect(!BackupContents.isWithin(path))
    try await withTemporaryDirectory { folder in
      let contents = BackupContents(
        version: 1, made: "2026-01-01T00:00:00Z", files: [.init(path: path, bytes: 1, sha256: "00")], keyrings: [:])
      try JSONEncoder().encode(contents).write(to: URL(fileURLWithPath: folder + "/" + BackupContents.name))
      #expect(throws: OperationError.self) { try BackupContents.read(folder) }
    }
  }
}
