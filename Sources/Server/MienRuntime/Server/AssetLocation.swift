internal import Foundation
package import MienCore

/// Locations of the assets that the program needs at run time.
package struct AssetLocation: Sendable {
  /// Folder with the model files.
  package let models: String

  /// - Parameter models: folder with the model files; `nil` for `$MIEN_PARTS/models`, or `.mien/models` here or in a
  ///   folder above the executable.
  package init(models: String?) {
    let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"]
    self.models = models ?? parts.map { $0 + "/models" } ?? Self.find(".mien/models")
  }

  /// Folder with the library that displays 3-D models in the browser.
  package static var viewer: String {
    if let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"] { return parts + "/three" }
    return find(".mien/three")
  }

  /// Folder with the documentation site.
  package static var docs: String {
    if let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"] { return parts + "/docs" }
    return find(".mien/docs")
  }

  /// Describes why the tracker is unavailable, including the folder that was searched for models.
  package func text(_ reason: UnavailableReason) -> String {
    guard case .modelUnavailable(let what) = reason else { return reason.text }
    return "\(what) is missing in \(models) or does not load."
  }

  /// Returns `relative` if it exists in the current folder, else the first match in a folder above the executable, else
  /// `relative` unchanged.
  package static func find(_ relative: String) -> String {
    let manager = FileManager.default
    if manager.fileExists(atPath: relative) { return relative }
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(relative).path
      if manager.fileExists(atPath: candidate) { return candidate }
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
