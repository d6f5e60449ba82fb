import MienScanFiles

/// Where the files of an exported scan go: a folder, or one archive. Either appears under its name when it is whole.
final class ExportPlace {
  private enum Kind {
    case folder(WholeFolder)
    case archive(WholeFile)
  }

  private let kind: Kind
  private var archive = ZipWriter()

  /// - Throws: ``ToolError`` when it cannot be written; a folder also when there is something of that name.
  init(_ path: String, asArchive: Bool) throws {
    if asArchive {
      kind = .archive(try WholeFile(path))
    } else {
      kind = .folder(try WholeFolder(path))
    }
  }

  /// - Throws: ``ToolError``, or `ScanError` when an archive cannot hold the file.
  func write(_ file: ExportedFile) throws {
    switch kind {
    case .folder(let folder): try folder.write(file.bytes, file.name)
    case .archive(let whole): try whole.append(try archive.add(file.bytes, as: file.name))
    }
  }

  /// Puts it in its place.
  func keep() throws {
    switch kind {
    case .folder(let folder): try folder.keep()
    case .archive(let whole):
      try whole.append(archive.finish())
      _ = try whole.keep()
    }
  }
}
