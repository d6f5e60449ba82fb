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
  /// A Record3D archive: the files of ``record3D`` in one ZIP archive.
  case record3DArchive = "r3d"
  /// A folder as 3D Scanner App writes it when all data are shared.
  case scanner3D = "3dscannerapp"

  /// True where the files belong into one archive (see ``ZipWriter``) rather than into a folder.
  public var isArchive: Bool { self == .record3DArchive }
}

/// A file of an exported scan.
public struct ExportedFile: Sendable {
  /// Relative to the scan's folder or archive, with `/` between parts.
  public let name: String
  public let bytes: [UInt8]
}
