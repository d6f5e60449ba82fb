internal import Foundation
internal import MienBlobs
internal import MienFiles
internal import MienPlatform
internal import MienStore

/// Full copy of a server's data, made while the server runs.
package struct ServerBackup {
  private let data: String
  private let withKeyrings: Bool
  private let console: any OperatorConsole

  /// - Parameters:
  ///   - data: the server's data folder.
  ///   - withKeyrings: `true` to copy the master keyrings too.
  package init(of data: String, withKeyrings: Bool, console: any OperatorConsole) {
    self.data = data
    self.withKeyrings = withKeyrings
    self.console = console
  }

  /// Creates the backup in a new folder.
  ///
  /// - Throws: ``OperationError`` if there is nothing to copy, the folder exists, or a file cannot be copied.
  package func make(in folder: String) throws {
    try requireEmbedded()
    guard FileManager.default.fileExists(atPath: data + "/" + DataDirectory.database) else {
      throw OperationError("\(data) has no database: there is nothing to back up.")
    }
    // Strips a trailing slash, which would put the draft inside the folder.
    let folder = URL(fileURLWithPath: folder).standardizedFileURL.path
    guard !FileManager.default.fileExists(atPath: folder) else {
      throw OperationError("\(folder) is there already. A backup is made into a new folder.")
    }
    let draft = "\(folder).part-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    var files: [BackupContents.File] = []
    var keyrings: [String: String] = [:]
    for realm in Realm.allCases {
      let (source, inside) = (DataDirectory.of(realm, in: data), realm == .live ? "" : "sandbox/")
      let database = source + "/" + DataDirectory.database
      guard FileManager.default.fileExists(atPath: database) else { continue }
      files.append(try copy(database, to: inside + DataDirectory.database, in: draft))
      files += try copyBlobs(of: source, to: inside, in: draft)
      let keyring = source + "/" + DataDirectory.keyringName
      guard FileManager.default.fileExists(atPath: keyring) else { continue }
      keyrings[inside + DataDirectory.keyringName] = try BackupFiles.measure(keyring).sha256
      guard withKeyrings else { continue }
      let copied = try BackupFiles.copy(keyring, to: draft + "/" + inside + DataDirectory.keyringName)
      files.append(.init(path: inside + DataDirectory.keyringName, bytes: copied.bytes, sha256: copied.sha256))
    }
    if let place = BlobLocationFile.read(in: data) {
      // A server that is started on the restored folder requires these files.
      let copied = try BackupFiles.copy(data + "/" + BlobLocationFile.name, to: draft + "/" + BlobLocationFile.name)
      files.append(.init(path: BlobLocationFile.name, bytes: copied.bytes, sha256: copied.sha256))
      console.note("The files of captures and scans are not in it but at \(place). Copy that folder now.")
    }
    let contents = BackupContents(
      version: 1, made: Date().formatted(.iso8601), files: files.sorted { $0.path < $1.path }, keyrings: keyrings)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try BackupFiles.write(encoder.encode(contents), to: draft + "/" + BackupContents.name)
    try BackupFiles.saveDirectories(of: draft)
    do {
      try FileManager.default.moveItem(atPath: draft, toPath: folder)
      try BackupFiles.keep(URL(fileURLWithPath: folder).deletingLastPathComponent().path)
    } catch {
      throw OperationError("\(folder) cannot be made: \(error.fileReason)")
    }
    let bytes = files.map(\.bytes).reduce(0, +)
    try console.write("Backed up \(files.count) files, \(bytes.formatted(.byteCount(style: .decimal))), to \(folder).")
    if !withKeyrings && !keyrings.isEmpty {
      console.note(
        "The keyrings are not in the backup. Store them elsewhere: \(keyrings.keys.sorted().joined(separator: ", ")).")
    }
  }

  /// Throws if the records are not in the embedded database: an old database left in the folder would be mistaken for
  /// them.
  private func requireEmbedded() throws {
    let source: (what: String, otherwise: String)
    if StoreLocation.fromEnvironment != nil {
      source = ("MIEN_STORE names it", "For the embedded database in \(data) take MIEN_STORE away.")
    } else if let noted = StoreLocationFile.read(in: data), noted != StoreLocationFile.embedded {
      source = (
        "its server has noted in \(data)/\(StoreLocationFile.name) (\(noted))",
        "Where they have moved back to \(data), start the server there first."
      )
    } else {
      return
    }
    throw OperationError(
      """
      The records are in PostgreSQL, as \(source.what); mien backup copies the embedded database. Use pg_dump \
      (schemas mien and mien_sandbox), then copy blobs and sandbox/blobs, and store the two keyrings elsewhere: \
      see Documentation/operations/Backups.md. \(source.otherwise)
      """)
  }

  /// Copies the blobs. A capture is saved after its files, so every file that the copied database refers to exists,
  /// except those deleted in the meantime.
  private func copyBlobs(of source: String, to inside: String, in draft: String) throws -> [BackupContents.File] {
    let folder = DataDirectory.blobs + "/"
    return try FileBlobStore.paths(in: source + "/" + DataDirectory.blobs).compactMap { path in
      do {
        let copied = try BackupFiles.copy(source + "/" + folder + path, to: draft + "/" + inside + folder + path)
        return .init(path: inside + folder + path, bytes: copied.bytes, sha256: copied.sha256)
      } catch {
        guard FileManager.default.fileExists(atPath: source + "/" + folder + path) else {
          try? FileManager.default.removeItem(atPath: draft + "/" + inside + folder + path)
          return nil
        }
        throw error
      }
    }
  }

  private func copy(_ database: String, to path: String, in draft: String) throws -> BackupContents.File {
    let target = draft + "/" + path
    try BackupFiles.makeFolder(of: target)
    // SQLite creates files readable by all users; an existing empty file keeps its permissions.
    guard FileManager.default.createFile(atPath: target, contents: nil, attributes: [.posixPermissions: 0o600]) else {
      throw OperationError("\(target) cannot be written.")
    }
    try SQLiteStore.copy(database, to: target)
    try SQLiteStore.examine(target)
    try BackupFiles.keep(target)
    let measured = try BackupFiles.measure(target)
    return .init(path: path, bytes: measured.bytes, sha256: measured.sha256)
  }
}
