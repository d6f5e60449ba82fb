internal import Foundation
internal import MienFiles
internal import MienPlatform

extension DataDirectory {
  /// Names of the files and folders that a server creates directly in a realm's folder. Everything else there is left
  /// alone.
  private static let ownNames: Set<String> = [
    database, database + "-wal", database + "-shm", keyringName, lock, StoreLocationFile.name, "sandbox", blobs,
    frameLogs,
  ]

  /// Sets the umask so that only the owner can access files that this process creates.
  static func restrictNewFiles() { _ = umask(0o077) }

  /// Revokes the access of other users to the data folder, its sandbox and the files that a server creates in them.
  ///
  /// - Returns: the paths whose permissions were changed.
  /// - Throws: ``OperationError`` if a path accessible to others belongs to another user, or if the folder does not look
  ///   like a server's data folder.
  @discardableResult
  static func secure(_ folder: String) throws -> [String] {
    var changed: [String] = []
    for path in openPaths(of: folder) {
      guard path.isOwn else {
        // A file of another owner may be readable by this user's group, which is how secrets are mounted.
        guard path.mode & 0o007 != 0 else { continue }
        throw OperationError(
          """
          \(path.path) can be read or changed by every user of this machine (mode \(octal(path.mode))), and belongs to \
          another user. Take these rights away: chmod \(octal(path.wanted)) \(path.path)
          """)
      }
      guard path.path != folder || holdsOnlyOwnFiles(folder) else {
        throw OperationError(
          """
          \(folder) is open to other users (mode \(octal(path.mode))) and holds other things than a server's data. Give the \
          server a folder of its own with --data, or take these rights away: chmod \(octal(path.wanted)) \(folder)
          """)
      }
      guard unsafe chmod(path.path, mode_t(path.wanted)) == 0 else {
        throw OperationError(
          "\(path.path) is open to other users and its rights cannot be changed: chmod \(octal(path.wanted)) \(path.path)"
        )
      }
      changed.append(path.path)
    }
    return changed
  }

  /// Returns a description of every path that other users can access; changes nothing.
  static func exposedPaths(of folder: String) -> [String] {
    openPaths(of: folder).filter { $0.isOwn || $0.mode & 0o007 != 0 }
      .map { "\($0.path) has mode \(octal($0.mode)): chmod \(octal($0.wanted)) \($0.path)" }
  }

  private struct OpenPath {
    let path: String
    let mode: UInt16
    let isOwn: Bool
    /// Mode without the permissions of group and others.
    var wanted: UInt16 { mode & 0o700 }
  }

  private static func openPaths(of folder: String) -> [OpenPath] {
    var paths = [folder]
    for place in [folder, folder + "/sandbox"] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      paths += names.filter(ownNames.contains).sorted().map { place + "/" + $0 }
    }
    return paths.compactMap { path in
      // For a symbolic link, its target is examined.
      let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      guard let facts = try? FileManager.default.attributesOfItem(atPath: target),
        let mode = (facts[.posixPermissions] as? NSNumber)?.uint16Value,
        let owner = (facts[.ownerAccountID] as? NSNumber)?.uint32Value, mode & 0o077 != 0
      else { return nil }
      return OpenPath(path: path == folder ? folder : target, mode: mode & 0o7777, isOwn: owner == geteuid())
    }
  }

  private static func holdsOnlyOwnFiles(_ folder: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.isEmpty || names.contains(keyringName) || names.contains(database) || ownNames.isSuperset(of: names)
  }

  private static func octal(_ mode: UInt16) -> String { "0" + String(mode, radix: 8) }

  // MARK: - The key file

  /// Throws if a folder has a database but lacks the key that encrypts it. Runs before anything is written.
  ///
  /// - Throws: ``OperationError`` that names the key file to restore.
  static func requireKeyring(of location: StoreLocation) async throws {
    for realm in Realm.allCases {
      let folder = location.folder(realm)
      guard !FileManager.default.fileExists(atPath: folder + "/" + keyringName) else { continue }
      guard try await location.isInUse(realm) else { continue }
      throw OperationError(
        """
        \(folder)/\(keyringName) is missing, and the database was written with it: without this key it cannot be read. \
        Nothing was changed. Restore the file from where you keep it, or start with an empty folder and database.
        """)
    }
  }
}
