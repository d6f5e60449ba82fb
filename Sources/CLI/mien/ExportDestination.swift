import MienScanFiles

/// Where the files of an exported scan go: a folder, or one archive. Either appears under its name when it is whole.
final class ExportDestination {
  private enum Kind {
    case folder(AtomicDirectory)
    case archive(AtomicFile)
  }

  private let kind: Kind
  private var archive = ZipWriter()

  /// - Throws: ``CommandError`` when it cannot be written; a folder also when there is something of that name.
  init(_ path: String, asArchive: Bool) throws {
    if asArchive {
      kind = .archive(try AtomicFile(path))
    } else {
      kind = .folder(try AtomicDirectory(path))
    }
  }

  /// - Throws: ``CommandError``, or `ScanError` when an archive cannot hold the file.
  func write(_ file: ExportedFile) throws {
    switch kind {
    case .folder(let folder): try folder.write(file.bytes, file.name)
    case .archive(let whole): try whole.append(try archive.add(file.bytes, as: file.name))
    }
  }

  /// Puts it in its place.
  func commit() throws {
    switch kind {
    case .folder(let folder): try folder.commit()
    case .archive(let whole):
      try whole.append(archive.finish())
      _ = try whole.commit()
    }
  }
}
