import ArgumentParser
import Foundation
import MienCore

/// Where the parts are that the program needs at run time.
struct AssetOptions: ParsableArguments {
  @Option(help: "The folder with the face models (default: .mien/models beside the package, or $MIEN_PARTS/models).")
  var models: String?

  /// The folder with the model files: the option, `$MIEN_PARTS/models`, or `.mien/models` here or above the program.
  var modelFolder: String {
    if let models { return models }
    if let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"] { return parts + "/models" }
    return AssetOptions.find(".mien/models")
  }

  /// The folder with the library that shows 3-D models in the browser.
  static var viewerFolder: String {
    if let parts = ProcessInfo.processInfo.environment["MIEN_PARTS"] { return parts + "/three" }
    return find(".mien/three")
  }

  /// An obstacle of the tracker in words, with the folder where the models were looked for.
  func words(_ obstacle: UnavailableReason) -> String {
    guard case .modelUnavailable(let what) = obstacle else { return obstacle.words }
    return "\(what) is missing in \(modelFolder) or does not load."
  }

  /// `relative` in the current folder or in one above the program; as it stands when it is nowhere.
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
