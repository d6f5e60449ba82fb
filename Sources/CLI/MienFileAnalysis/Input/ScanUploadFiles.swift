internal import MienCore
internal import Crypto
internal import Foundation
package import MienClient
internal import MienFiles
internal import MienPlatform

/// Local files of a scan.
package enum ScanUploadFiles {
  /// Returns all regular files of the inputs: a file by its name, those in a folder by their relative paths.
  package static func files(of inputs: [String]) throws -> [ScanUpload.File] {
    var files: [ScanUpload.File] = []
    for input in inputs {
      let url = URL(fileURLWithPath: input)
      guard let type = kind(of: url) else { throw OperationError("\(input) is not there.") }
      guard type == .typeDirectory else {
        files.append(ScanUpload.File(name: url.lastPathComponent, place: url))
        continue
      }
      let prefix = inputs.count > 1 ? url.lastPathComponent + "/" : ""
      guard let found = FileManager.default.enumerator(atPath: input) else {
        throw OperationError("\(input) cannot be read.")
      }
      // Sorted, so that the same folder always results in the same upload.
      for path in found.compactMap({ $0 as? String }).sorted() {
        let file = url.appendingPathComponent(path)
        guard !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }), kind(of: file) == .typeRegular
        else { continue }
        files.append(ScanUpload.File(name: prefix + path, place: file))
      }
    }
    guard !files.isEmpty else { throw OperationError("There is no file to send.") }
    return files
  }

  private static func kind(of url: URL) -> FileAttributeType? {
    let facts = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    return facts?[.type] as? FileAttributeType
  }

  /// Returns an ID that is the same for the same command on the same unchanged files, so that an upload can be resumed.
  package static func name(of upload: ScanUpload, server: String) -> String {
    var hash = SHA256()
    func note(_ text: String) { hash.update(data: Array("\(text.utf8.count):\(text)".utf8)) }
    for text in [server, upload.subject ?? "", upload.label ?? "", upload.kind.rawValue] { note(text) }
    for file in upload.files {
      let facts = try? FileManager.default.attributesOfItem(atPath: file.place.resolvingSymlinksInPath().path)
      let changed = (facts?[.modificationDate] as? Date)?.timeIntervalSince1970
      note(file.name)
      note(file.place.standardizedFileURL.path)
      note("\((facts?[.size] as? NSNumber)?.intValue ?? -1) \(changed ?? -1)")
    }
    return "cli-" + Hexadecimal.encode(hash.finalize().prefix(20))
  }
}
