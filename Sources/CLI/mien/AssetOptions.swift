import ArgumentParser
import Foundation
import MienCore

/// Locations of the assets that the program needs at run time.
struct AssetOptions: ParsableArguments {
  @Option(help: "Folder with the face models (default: .mien/models beside the package, or $MIEN_PARTS/models).")
  var models: String?

  /// Folder with the model files: the option, `$MIEN_PARTS/models`, or `.mien/models` here or in a folder above the
  /// executable.
  var modelFolder: String {
    if let models { return models }
    if let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"] { return parts + "/models" }
    return AssetOptions.find(".mien/models")
  }

  /// Folder with the library that displays 3-D models in the browser.
  static var viewerFolder: String {
    if let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"] { return parts + "/three" }
    return find(".mien/three")
  }

  /// Describes why the tracker is unavailable, including the folder that was searched for models.
  func words(_ obstacle: UnavailableReason) -> String {
    guard case .modelUnavailable(let what) = obstacle else { return obstacle.words }
    return "\(what) is missing in \(modelFolder) or does not load."
  }

  /// Returns `relative` if it exists in the current folder, else the first match in a folder above the executable, else
  /// `relative` unchanged.
  static func find(_ relative: String) -> String {
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
