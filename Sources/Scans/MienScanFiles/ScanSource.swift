internal import MienDepth

/// A scan of some app's or recording's format, frame by frame.
protocol ScanSource: Sendable {
  var header: ScanHeader { get }
  var count: Int { get }
  var imageCount: Int { get }
  /// What the format or the recording does not say, or what was left out, for a person.
  var remarks: [ScanDiagnostic] { get }
  /// A film whose frames could be pictures; nil where there is none, or its frames are read.
  var film: ScanVideo? { get }
  /// - Throws: ``ScanError`` with the frame's number and the file's name.
  func frame(at number: Int) throws(ScanError) -> ScanFrame
  func image(at number: Int) throws(ScanError) -> ScanImage
}

extension ScanSource {
  var film: ScanVideo? { nil }
}

/// The formats that are read.
public enum ScanFileFormat: String, Sendable, CaseIterable {
  case bundle = "scan bundle"
  case scanner3D = "3D Scanner App"
  case stray = "Stray Scanner"
  case record3D = "Record3D"
  case arKitScenes = "ARKitScenes"
  case tum = "TUM RGB-D"
  case legacy = "depth_scan.bin"
}

/// Limits of a single file of a recording.
enum ImportLimits {
  static let map = 32 << 20
  static let image = 64 << 20
  /// A description in JSON, which takes many times its bytes once it is read: 250 bytes a frame are a thousand seconds.
  static let description = 16 << 20
  /// A film that has to be unpacked from an archive.
  static let film = 2 << 30
  /// A table of numbers or names.
  static let text = 64 << 20
  /// A file of one line of numbers.
  static let line = 64 << 10
}
