/// Third-party formats for exporting scans.
public enum ScanExportFormat: String, Sendable, CaseIterable {
  /// Folder in the format of Stray Scanner.
  case stray
  /// Folder in the format of the TUM RGB-D benchmark.
  case tum
  /// Folder with one video in the format of the ARKitScenes dataset.
  case arKitScenes = "arkitscenes"
  /// Folder that a Record3D archive unpacks to.
  case record3D = "record3d"
  /// Record3D archive: the files of ``record3D`` in one ZIP archive.
  case record3DArchive = "r3d"
  /// Folder as 3D Scanner App exports it when all data is shared.
  case scanner3D = "3dscannerapp"

  /// `true` if the files belong in one archive (see ``ZipWriter``) rather than in a folder.
  public var isArchive: Bool { self == .record3DArchive }
}

/// A file of an exported scan.
public struct ExportedFile: Sendable {
  /// Path relative to the scan's folder or archive, with `/` as the separator.
  public let name: String
  public let bytes: [UInt8]
}
