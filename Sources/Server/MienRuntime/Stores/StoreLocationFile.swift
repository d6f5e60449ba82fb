internal import Foundation
internal import MienFiles
internal import MienStore

/// File in the data folder that records the location of the server's records: a command without the server's `--store`
/// would open a different database, create keys and users that no server reads, and replace the master key.
package enum StoreLocationFile {
  /// Name of the file in the data folder.
  package static let name = "store.place"
  /// Text that stands for the database in the folder.
  package static let embedded = "embedded"

  /// Returns the text to record for a database, without user and password; `nil` is the one in the folder.
  static func text(of address: PostgresURL?) -> String {
    address.map { "PostgreSQL, \($0), schema \($0.schema)" } ?? embedded
  }

  /// Returns the recorded location, or `nil` if no server has recorded it yet.
  package static func read(in data: String) -> String? {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: data + "/" + name)) else { return nil }
    // The text is displayed, so only visible ASCII characters are kept.
    let words = String(decoding: bytes.filter { (0x20...0x7e).contains($0) }, as: UTF8.self)
    return words.isEmpty ? nil : words
  }

  /// Records the location and writes a note if it changes between embedded and external: the operator may have omitted
  /// `--store` by mistake.
  static func write(_ place: String, in data: String, console: any OperatorConsole) throws {
    let before = read(in: data)
    guard before != place else { return }
    let path = data + "/" + name
    do {
      try Data(place.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
    try BackupFiles.keep(path)
    try BackupFiles.keep(data)
    if let before, (before == embedded) != (place == embedded) {
      console.note("NOTE: the records of \(data) were kept elsewhere until now: \(before). From now on: \(place).")
    }
  }

  /// Throws if the kind of store differs from the server's.
  ///
  /// Only the kind is compared: one database has many addresses. The master key verifies that it is the right database.
  static func requireSameKind(as location: StoreLocation) throws {
    guard let noted = read(in: location.data), (noted == embedded) == location.isExternal else { return }
    guard location.isExternal else {
      throw OperationError(
        """
        The server of \(location.data) keeps its records elsewhere, as it has noted in \(name): \(noted). Nothing was \
        changed. Name that database with --store or MIEN_STORE.
        """)
    }
    throw OperationError(
      """
      The server of \(location.data) keeps its records in that folder, as it has noted in \(name), and --store or MIEN_STORE \
      names another place. Nothing was changed. Leave out --store, and unset MIEN_STORE; where the records have moved, \
      start the server there first.
      """)
  }
}
