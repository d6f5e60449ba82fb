internal import Foundation
internal import MienBlobs
internal import MienFiles
package import MienPlatform
internal import MienSecurity
internal import MienStore

/// Layout of the data folder, which holds all data of a server.
package enum DataDirectory {
  /// Name of the database file in a realm's folder.
  package static let database = "mien.sqlite"
  /// Name of the master keyring file in a realm's folder.
  package static let keyringName = "mien.keyring"
  /// Name of the folder with the files of captures and scans.
  static let blobs = "blobs"
  /// Name prefix of the marker file by which servers on one database verify that they see the same files.
  static let place = "place-"
  /// Name of the folder with the frames of checks whose clips are not encoded yet.
  static let frameLogs = "frame-logs"

  /// Returns the folder of a realm: the sandbox's is inside the live one.
  package static func of(_ realm: Realm, in folder: String) -> String { realm == .live ? folder : folder + "/sandbox" }

  /// Opens the database; creates the folder and the database if they do not exist.
  static func store(_ folder: String, times: OperationTimings = OperationTimings()) throws -> SQLiteStore {
    try make(folder)
    return try SQLiteStore(path: folder + "/" + database, keyring: try keyring(folder), times: times)
  }

  /// Creates a realm's folder if it does not exist. From then on, only the owner can access files that the process
  /// creates.
  static func make(_ folder: String) throws {
    restrictNewFiles()
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw OperationError("\(folder) cannot be made: \(error.fileReason)")
    }
  }

  /// Reads the master keyring from `mien.keyring`; creates it if it does not exist.
  ///
  /// It is stored beside the database and not in it, so that a copy of the database alone reveals nothing.
  static func keyring(_ folder: String) throws -> MasterKeyring {
    let path = folder + "/" + keyringName
    if !FileManager.default.fileExists(atPath: path) {
      var generator = SystemRandomNumberGenerator()
      let draft = "\(path).\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: draft) }
      let key = Data(MasterKeyring.makeKey(using: &generator))
      guard FileManager.default.createFile(atPath: draft, contents: key, attributes: [.posixPermissions: 0o600]) else {
        throw OperationError("Could not write \(path). Check that the folder is writable.")
      }
      // Data encrypted with the key survives a power failure, so the key and its directory entry must too.
      try BackupFiles.keep(draft)
      // A hard link is created atomically and never overwrites a key that another process created in the meantime.
      try? FileManager.default.linkItem(atPath: draft, toPath: path)
      try BackupFiles.keep(folder)
    }
    guard let keyring = MasterKeyring(file: [UInt8](try InputFile.bytes(path))) else {
      throw OperationError("\(path) is not a keyring file. Restore it from the backup of this database.")
    }
    return keyring
  }

  /// Returns the digest of the keyring file, to detect whether it has changed since it was read.
  ///
  /// A keyring holds random 32-byte keys, so its digest reveals nothing about them.
  static func keyringDigest(_ folder: String) throws -> String {
    try BackupFiles.measure(folder + "/" + keyringName).sha256
  }

  /// Atomically replaces the keyring file, preserving the permissions of the old one.
  static func replaceKeyring(_ folder: String, by bytes: [UInt8]) throws {
    // Servers may share the file through a symbolic link, which is preserved.
    let path = keyringPath(folder)
    let draft = "\(path).\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    guard
      FileManager.default.createFile(
        atPath: draft, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    else { throw OperationError("Could not write \(path). Check that the folder is writable and has free space.") }
    try hand(draft, toReadersOf: path)
    try BackupFiles.keep(draft)
    guard unsafe rename(draft, path) == 0 else { throw OperationError("Could not write \(path).") }
    try BackupFiles.keep((path as NSString).deletingLastPathComponent)
  }

  /// Removes drafts left by an interrupted write of a keyring: they may hold keys that must be destroyed.
  ///
  /// Call it only while no process writes a keyring. Copies with other names, made by an operator, are kept.
  static func removeKeyringDrafts(_ folder: String) throws {
    // Drafts may be beside the link or beside its target.
    for path in Set([folder + "/" + keyringName, keyringPath(folder)]) {
      let (place, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
      let names = try? FileManager.default.contentsOfDirectory(atPath: place)
      for draft in names ?? [] where draft.hasPrefix(name + ".") {
        guard UUID(uuidString: String(draft.dropFirst(name.count + 1))) != nil else { continue }
        do {
          try FileManager.default.removeItem(atPath: place + "/" + draft)
        } catch {
          throw OperationError(
            "\(place)/\(draft) is left of a rotation that broke off and cannot be removed: \(error.fileReason)")
        }
      }
    }
  }

  /// Returns the path of the keyring file with symbolic links resolved.
  private static func keyringPath(_ folder: String) -> String {
    URL(fileURLWithPath: folder + "/" + keyringName).resolvingSymlinksInPath().path
  }

  /// Gives a draft the owner, group and mode of the file that it replaces: a server that runs as a different user than
  /// this command must be able to read it.
  private static func hand(_ draft: String, toReadersOf path: String) throws {
    let (old, new) = (try rights(path), try rights(draft))
    guard old != new else { return }
    guard let handle = FileHandle(forUpdatingAtPath: draft) else { throw OperationError("\(draft) cannot be opened.") }
    defer { try? handle.close() }
    if (old.owner, old.group) != (new.owner, new.group),
      fchown(handle.fileDescriptor, old.owner, old.group) != 0
    {
      throw OperationError(
        """
        \(path) belongs to user \(old.owner) and group \(old.group), and whoever gives this command may make no file theirs. \
        It stays as it is. Give the command as that user, or as root.
        """)
    }
    if old.mode != new.mode, fchmod(handle.fileDescriptor, mode_t(old.mode)) != 0 {
      throw OperationError("The rights of \(path) cannot be given to a new file. It stays as it is.")
    }
  }

  /// Owner, group and mode of a file.
  private struct Rights: Equatable {
    let owner: UInt32
    let group: UInt32
    let mode: UInt16
  }

  private static func rights(_ path: String) throws -> Rights {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
      let owner = facts[.ownerAccountID] as? NSNumber, let group = facts[.groupOwnerAccountID] as? NSNumber,
      let mode = facts[.posixPermissions] as? NSNumber
    else { throw OperationError("Whose \(path) is could not be found out. It stays as it is.") }
    return Rights(owner: owner.uint32Value, group: group.uint32Value, mode: mode.uint16Value & 0o777)
  }
}

extension DataDirectory {
  /// Returns the store for the files of captures and scans of a realm, encrypted under its master key.
  ///
  /// - Parameter folder: the realm's folder.
  static func encryptedBlobs(_ folder: String, times: OperationTimings) throws -> EncryptedBlobStore {
    try encrypted(InstrumentedBlobStore(try FileBlobStore(folder + "/" + blobs), .disk, times: times), folder)
  }

  /// Wraps a blob store so that its contents are encrypted under the realm's master key.
  static func encrypted(_ store: some BlobStore, _ folder: String) throws -> EncryptedBlobStore {
    EncryptedBlobStore(store, keyring: try keyring(folder), random: random)
  }

  /// Returns `count` bytes from the system's cryptographically secure random number generator.
  @Sendable static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
