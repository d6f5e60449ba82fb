internal import Foundation
package import MienCore

/// Locations of the assets that the program needs at run time.
package struct AssetLocation: Sendable {
  /// Folder with the model files.
  package let models: String

  /// - Parameter models: folder with the model files; `nil` for `$MIEN_PARTS/models`, for `.mien/models` here or in a
  ///   folder above the executable, or for those of the installed program.
  package init(models: String?) {
    let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"]
    self.models = models ?? parts.map { $0 + "/models" } ?? Self.find(".mien/models", installed: "models")
  }

  /// Folder with the browser client.
  package static var web: String { find("Web", installed: "Web") }

  /// Folder with the library that displays 3-D models in the browser.
  package static var viewer: String {
    if let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"] { return parts + "/three" }
    return find(".mien/three", installed: "three")
  }

  /// Folder with the documentation site.
  package static var docs: String {
    if let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"] { return parts + "/docs" }
    return find(".mien/docs", installed: "docs")
  }

  /// Path of the C2PA library.
  package static var provenanceLibrary: String {
    let file = "c2pa/libc2pa_c.so"
    if let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"] { return parts + "/" + file }
    return find(".mien/" + file, installed: file)
  }

  /// Describes why the tracker is unavailable, including the folder that was searched for models.
  package func text(_ reason: UnavailableReason) -> String {
    guard case .modelUnavailable(let what) = reason else { return reason.text }
    return "\(what) is missing in \(models) or does not load."
  }

  /// Returns `relative` if it exists in the current folder, else the first match in a folder above the executable, which
  /// is `relative` in a source tree and `share/mien/` with the installed name where packages put it; else `relative` unchanged.
  private static func find(_ relative: String, installed: String) -> String {
    let manager = FileManager.default
    if manager.fileExists(atPath: relative) { return relative }
    // The first argument is no path if the program was found in a folder of PATH.
    let executable = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    var folder = executable.resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path != "/" {
      for candidate in [relative, "share/mien/\(installed)"] {
        let path = folder.appendingPathComponent(candidate).path
        if manager.fileExists(atPath: path) { return path }
      }
      folder.deleteLastPathComponent()
    }
    return relative
  }
}

extension UnavailableReason {
  /// Text for the operator.
  fileprivate var text: String {
    switch self {
    case .modelUnavailable(let what): "\(what) is missing or does not load."
    case .noFace: "No face was seen."
    case .severalFaces(let count): "\(count) faces were seen; one is needed."
    case .noDepth: "There is no depth."
    case .notEnrolled: "The person is not enrolled."
    case .tooFewFrames(let count): "\(count) usable frames are too few."
    case .tooLittleValidDepth: "Too little of the face has a usable depth."
    case .tooLittleLight: "The screen adds too little light to the face."
    case .declined: "The person declined."
    case .notLive: "The check did not pass."
    case .templateDeleted: "The template was deleted."
    case .imageTooSmall: "The frames are too small."
    case .imageTooCompressed: "The frames are compressed too strongly."
    }
  }
}
