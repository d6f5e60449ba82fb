import Foundation
import MienService
import MienStoreSQLite

/// The folder that holds everything a server keeps.
enum DataFolder {
  /// The database's name in the folder of a space.
  static let database = "mien.sqlite"
  /// The name of the server's own key in the folder of a space.
  static let sealName = "mien.seal"
  /// The folder with the files of captures and scans.
  static let blobs = "blobs"
  /// What the name of the file begins with that shows servers on one database that they see the same files.
  static let place = "place-"
  /// The folder with files of scans that are coming in.
  static let uploads = "uploads"
  /// The folder with what is being worked on.
  static let work = "work"

  /// The folder of one of the server's two worlds: the sandbox's lies within the live one's.
  static func of(_ space: Space, in folder: String) -> String { space == .live ? folder : folder + "/sandbox" }

  /// Opens the database, and makes folder and database where there are none.
  static func store(_ folder: String, times: WorkTimes = WorkTimes()) throws -> SQLiteStore {
    try make(folder)
    return try SQLiteStore(path: folder + "/" + database, seal: try seal(folder), times: times)
  }

  /// Makes the folder of a space where there is none.
  static func make(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ToolError("\(folder) cannot be made: \(Terminal.reason(error))")
    }
  }

  /// Reads the server's own key from `mien.seal`, and makes one where there is none.
  ///
  /// It lies beside the database and not in it, so that a copy of the database alone gives nothing away.
  static func seal(_ folder: String) throws -> Seal {
    let path = folder + "/" + sealName
    if !FileManager.default.fileExists(atPath: path) {
      var dice = SystemRandomNumberGenerator()
      let draft = "\(path).\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: draft) }
      let key = Data(Seal.makeKey(using: &dice))
      guard FileManager.default.createFile(atPath: draft, contents: key, attributes: [.posixPermissions: 0o600]) else {
        throw ToolError("Could not write \(path). Check that the folder is writable.")
      }
      // What it will seal survives a power cut, so it must too.
      try? FileHandle(forUpdating: URL(fileURLWithPath: draft)).synchronize()
      // A link is made whole or not at all, and never over a key that another process made meanwhile.
      try? FileManager.default.linkItem(atPath: draft, toPath: path)
    }
    guard let seal = Seal(file: [UInt8](try Input.bytes(path))) else {
      throw ToolError("\(path) is no seal: a new one holds 32 bytes. Restore it from the backup of this database.")
    }
    return seal
  }

  /// Puts another content in the place of a seal's file, whole or not at all.
  static func replaceSeal(_ folder: String, by bytes: [UInt8]) throws {
    // Servers may share it by a link, which stays one.
    let path = URL(fileURLWithPath: folder + "/" + sealName).resolvingSymlinksInPath().path
    let draft = "\(path).\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    guard
      FileManager.default.createFile(
        atPath: draft, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    else { throw ToolError("Could not write \(path). Check that the folder is writable and has room.") }
    try BackupFiles.keep(draft)
    guard unsafe rename(draft, path) == 0 else { throw ToolError("Could not write \(path).") }
    try BackupFiles.keep((path as NSString).deletingLastPathComponent)
  }
}
