import Foundation
import MienService
import MienStoreSQLite

/// The folder that holds everything a server keeps.
enum DataDirectory {
  /// The database's name in the folder of a space.
  static let database = "mien.sqlite"
  /// The name of the server's own key in the folder of a space.
  static let keyringName = "mien.seal"
  /// The folder with the files of captures and scans.
  static let blobs = "blobs"
  /// What the name of the file begins with that shows servers on one database that they see the same files.
  static let place = "place-"
  /// The folder with files of scans that are coming in.
  static let uploads = "uploads"
  /// The folder with what is being worked on.
  static let work = "work"

  /// The folder of one of the server's two worlds: the sandbox's lies within the live one's.
  static func of(_ space: Realm, in folder: String) -> String { space == .live ? folder : folder + "/sandbox" }

  /// Opens the database, and makes folder and database where there are none.
  static func store(_ folder: String, times: OperationTimings = OperationTimings()) throws -> SQLiteStore {
    try make(folder)
    return try SQLiteStore(path: folder + "/" + database, keyring: try keyring(folder), times: times)
  }

  /// Makes the folder of a space where there is none. Files that are made from then on are their owner's alone.
  static func make(_ folder: String) throws {
    restrictNewFiles()
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError("\(folder) cannot be made: \(Terminal.reason(error))")
    }
  }

  /// Reads the server's own key from `mien.seal`, and makes one where there is none.
  ///
  /// It lies beside the database and not in it, so that a copy of the database alone gives nothing away.
  static func keyring(_ folder: String) throws -> MasterKeyring {
    let path = folder + "/" + keyringName
    if !FileManager.default.fileExists(atPath: path) {
      var generator = SystemRandomNumberGenerator()
      let draft = "\(path).\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: draft) }
      let key = Data(MasterKeyring.makeKey(using: &generator))
      guard FileManager.default.createFile(atPath: draft, contents: key, attributes: [.posixPermissions: 0o600]) else {
        throw CommandError("Could not write \(path). Check that the folder is writable.")
      }
      // What it will seal survives a power cut, so it must too.
      try? FileHandle(forUpdating: URL(fileURLWithPath: draft)).synchronize()
      // A link is made whole or not at all, and never over a key that another process made meanwhile.
      try? FileManager.default.linkItem(atPath: draft, toPath: path)
    }
    guard let keyring = MasterKeyring(file: [UInt8](try Input.bytes(path))) else {
      throw CommandError("\(path) is no seal: a new one holds 32 bytes. Restore it from the backup of this database.")
    }
    return keyring
  }

  /// The digest of a seal's file, which shows whether it is still the one that was read.
  ///
  /// A key is 32 random bytes: its digest tells nothing about it.
  static func keyringDigest(_ folder: String) throws -> String {
    try BackupFiles.measure(folder + "/" + keyringName).sha256
  }

  /// Puts another content in the place of a seal's file, whole or not at all, for those who could read the old one.
  static func replaceKeyring(_ folder: String, by bytes: [UInt8]) throws {
    // Servers may share it by a link, which stays one.
    let path = keyringPath(folder)
    let draft = "\(path).\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    guard
      FileManager.default.createFile(
        atPath: draft, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    else { throw CommandError("Could not write \(path). Check that the folder is writable and has room.") }
    try hand(draft, toReadersOf: path)
    try BackupFiles.keep(draft)
    guard unsafe rename(draft, path) == 0 else { throw CommandError("Could not write \(path).") }
    try BackupFiles.keep((path as NSString).deletingLastPathComponent)
  }

  /// Removes what writing a seal left behind when it was cut off: it may hold keys that have to be gone.
  ///
  /// Only while nobody writes a seal. Names that people give their copies stay.
  static func removeKeyringDrafts(_ folder: String) throws {
    // Beside the link and beside the file that it leads to.
    for path in Set([folder + "/" + keyringName, keyringPath(folder)]) {
      let (place, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
      let names = try? FileManager.default.contentsOfDirectory(atPath: place)
      for draft in names ?? [] where draft.hasPrefix(name + ".") {
        guard UUID(uuidString: String(draft.dropFirst(name.count + 1))) != nil else { continue }
        do {
          try FileManager.default.removeItem(atPath: place + "/" + draft)
        } catch {
          throw CommandError(
            "\(place)/\(draft) is left of a rotation that broke off and cannot be removed: \(Terminal.reason(error))")
        }
      }
    }
  }

  /// Where a seal's file is, without links.
  private static func keyringPath(_ folder: String) -> String {
    URL(fileURLWithPath: folder + "/" + keyringName).resolvingSymlinksInPath().path
  }

  /// Gives a draft the owner, group and rights of the file whose place it takes: a server that runs as somebody else than
  /// this command must be able to read it.
  private static func hand(_ draft: String, toReadersOf path: String) throws {
    let (old, new) = (try rights(path), try rights(draft))
    guard old != new else { return }
    guard let handle = FileHandle(forUpdatingAtPath: draft) else { throw CommandError("\(draft) cannot be opened.") }
    defer { try? handle.close() }
    if (old.owner, old.group) != (new.owner, new.group),
      fchown(handle.fileDescriptor, old.owner, old.group) != 0
    {
      throw CommandError(
        """
        \(path) belongs to user \(old.owner) and group \(old.group), and whoever gives this command may make no file theirs. \
        It stays as it is. Give the command as that user, or as root.
        """)
    }
    if old.mode != new.mode, fchmod(handle.fileDescriptor, mode_t(old.mode)) != 0 {
      throw CommandError("The rights of \(path) cannot be given to a new file. It stays as it is.")
    }
  }

  /// Whose a file is and who may do what with it.
  private struct Rights: Equatable {
    let owner: UInt32
    let group: UInt32
    let mode: UInt16
  }

  private static func rights(_ path: String) throws -> Rights {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
      let owner = facts[.ownerAccountID] as? NSNumber, let group = facts[.groupOwnerAccountID] as? NSNumber,
      let mode = facts[.posixPermissions] as? NSNumber
    else { throw CommandError("Whose \(path) is could not be found out. It stays as it is.") }
    return Rights(owner: owner.uint32Value, group: group.uint32Value, mode: mode.uint16Value & 0o777)
  }
}
