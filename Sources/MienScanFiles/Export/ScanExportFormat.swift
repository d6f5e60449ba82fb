/// The formats of others that scans are written in.
public enum ScanExportFormat: String, Sendable, CaseIterable {
  /// A folder as Stray Scanner writes it.
  case stray
  /// A folder in the format of the TUM RGB-D benchmark.
  case tum
  /// A folder as one video of the ARKitScenes data.
  case arKitScenes = "arkitscenes"
  /// The folder that a Record3D archive unpacks to.
  case record3D = "record3d"
}

/// A file of an exported scan.
public struct ExportedFile: Sendable {
  /// Relative to the scan's folder, with `/` between parts.
  public let name: String
  public let bytes: [UInt8]
}
