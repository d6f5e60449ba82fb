internal import Foundation
internal import MienFiles

/// File in the data folder that records that the files of captures and scans are in an object store: a server started
/// without it would treat them as lost.
enum BlobLocationFile {
  /// Name of the file in the data folder.
  static let name = "blobs.place"

  /// Returns the address of the object store, or `nil` if the files are in the data folder.
  static func read(in data: String) -> String? {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: data + "/" + name)) else { return nil }
    // The text is displayed, so only visible ASCII characters are kept.
    return String(decoding: bytes.filter { (0x20...0x7e).contains($0) }, as: UTF8.self)
  }

  static func write(_ place: String, in data: String) throws {
    guard read(in: data) != place else { return }
    let path = data + "/" + name
    do {
      try Data(place.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
    try BackupFiles.keep(path)
    try BackupFiles.keep(data)
  }

  static func delete(in data: String) throws {
    let path = data + "/" + name
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw OperationError("\(path) cannot be removed: \(error.fileReason)")
    }
    try BackupFiles.keep(data)
  }
}
