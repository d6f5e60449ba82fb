import Foundation

/// File locations for the tests.
enum Place {
  /// Folder of the package.
  static let package = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Folder with the recordings, or `nil`.
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

  /// Folder with the photos that `./test` installs, or `nil`.
  static let media: URL? = exists(
    (ProcessInfo.processInfo.environment["MIEN_PARTS"].map { URL(fileURLWithPath: $0) }
      ?? package.appendingPathComponent(".mien")).appendingPathComponent("media"))

  /// Executable under test; `./test` sets it to the release build.
  static let program: URL? = ProcessInfo.processInfo.environment["MIEN_PROGRAM"].map {
    URL(fileURLWithPath: $0, relativeTo: package)
  }

  private static func exists(_ url: URL) -> URL? {
    FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}
