internal import MienScanFormat
internal import MienReconstruction

/// A scan in the format of an app or recording, read frame by frame.
protocol ScanSource: Sendable {
  var header: ScanHeader { get }
  var count: Int { get }
  var imageCount: Int { get }
  /// Messages about missing or omitted data, for people.
  var remarks: [ScanDiagnostic] { get }
  /// Video whose frames can serve as images; nil if there is none, or if its frames are already read.
  var video: ScanVideo? { get }
  /// Returns a frame.
  ///
  /// - Throws: ``ScanError`` with the frame's number and the file's name.
  func frame(at number: Int) throws(ScanError) -> ScanFrame
  func image(at number: Int) throws(ScanError) -> ScanImage
}

extension ScanSource {
  var video: ScanVideo? { nil }
}

/// Supported import formats.
public enum ScanFileFormat: String, Sendable, CaseIterable {
  case bundle = "scan bundle"
  case scanner3D = "3D Scanner App"
  case stray = "Stray Scanner"
  case record3D = "Record3D"
  case polycam = "Polycam"
  case transforms = "transforms.json"
  case colmap = "COLMAP"
  case arKitScenes = "ARKitScenes"
  case tum = "TUM RGB-D"
  case rawDepth = "depth_scan.bin"
}

/// Size limits of a single file of a recording, in bytes.
enum ImportLimits {
  static let map = 32 << 20
  static let image = 64 << 20
  /// JSON metadata, which takes many times its size when parsed; at 250 bytes per frame, enough for a thousand seconds.
  static let description = 16 << 20
  /// Video that has to be extracted from an archive.
  static let video = 2 << 30
  /// Table of numbers or names.
  static let text = 64 << 20
  /// File with one line of numbers.
  static let line = 64 << 10
}
