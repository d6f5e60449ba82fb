import Foundation

/// Where things lie beside the tests.
enum Place {
  /// The package's folder.
  static let package = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder with the recordings, or nil.
  static let shared: URL? = {
    if let named = ProcessInfo.processInfo.environment["MIEN_SHARED"] {
      return exists(URL(fileURLWithPath: named).appendingPathComponent("data"))?.deletingLastPathComponent()
    }
    var folder = package
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      if let found = exists(folder.appendingPathComponent("shared/data")) { return found.deletingLastPathComponent() }
    }
    return nil
  }()

  /// The folder with the photographs that `./test` installs, or nil.
  static let media: URL? = exists(
    (ProcessInfo.processInfo.environment["MIEN_PARTS"].map { URL(fileURLWithPath: $0) }
      ?? package.appendingPathComponent(".mien")).appendingPathComponent("media"))

  /// The built program; `./test` names the release build.
  static let program: URL? = ProcessInfo.processInfo.environment["MIEN_PROGRAM"].map {
    URL(fileURLWithPath: $0, relativeTo: package)
  }

  private static func exists(_ url: URL) -> URL? {
    FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}
