import Foundation
import MienModel

/// What the command line looks at: videos, pictures and folders of pictures, in the order given.
enum Input {
  static let pictureEndings: Set<String> = ["jpg", "jpeg", "png"]
  static let recordingEndings: Set<String> = ["jsonl", "ndjson", "csv", "json"]

  static func isPicture(_ path: String) -> Bool { pictureEndings.contains(ending(path)) }
  static func isRecording(_ path: String) -> Bool { recordingEndings.contains(ending(path)) }
  static func isFolder(_ path: String) -> Bool {
    (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
  }

  private static func ending(_ path: String) -> String { URL(fileURLWithPath: path).pathExtension.lowercased() }

  /// The pictures in a folder by name.
  static func pictures(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter(isPicture).sorted().map { folder + "/" + $0 }
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ToolError("\(path) is not there or cannot be read.")
    }
    return [UInt8](data)
  }
}
