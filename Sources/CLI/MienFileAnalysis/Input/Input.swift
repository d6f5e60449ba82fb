internal import Foundation
internal import MienFiles

/// Classifies and reads input files: videos, recordings, images and folders of images.
package enum Input {
  static let imageEndings: Set<String> = ["jpg", "jpeg", "png"]
  static let recordingEndings: Set<String> = ["jsonl", "ndjson", "csv", "json"]

  package static func isImage(_ path: String) -> Bool { imageEndings.contains(ending(path)) }
  package static func isRecording(_ path: String) -> Bool { recordingEndings.contains(ending(path)) }
  package static func isFolder(_ path: String) -> Bool {
    (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
  }

  /// Returns the folder of a file, or the folder itself, with symbolic links and dots resolved.
  package static func folder(of path: String) -> String {
    isFolder(path) ? resolved(path) : resolved(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  package static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  private static func ending(_ path: String) -> String { URL(fileURLWithPath: path).pathExtension.lowercased() }

  /// Returns the images in a folder, sorted by name; throws if there are none.
  static func images(in folder: String) throws -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw OperationError("\(folder) cannot be read: \(error.fileReason)")
    }
    let images = names.filter(isImage).sorted()
    guard !images.isEmpty else { throw OperationError("\(folder) contains no images (.jpg, .jpeg, .png).") }
    return images.map { folder + "/" + $0 }
  }
}
