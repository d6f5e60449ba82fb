internal import MienFiles
internal import MienScanFiles

/// Destination of an exported scan: a folder or one archive. Either appears under its final name only once it is
/// complete.
final class ExportDestination {
  private enum Kind {
    case folder(AtomicDirectory)
    case archive(AtomicFile)
  }

  private let kind: Kind
  private var archive = ZipWriter()

  /// - Throws: ``OperationError`` if it cannot be written or, for a folder, if the path already exists.
  init(_ path: String, asArchive: Bool) throws {
    if asArchive {
      kind = .archive(try AtomicFile(path))
    } else {
      kind = .folder(try AtomicDirectory(path))
    }
  }

  /// - Throws: ``OperationError``, or `ScanError` if an archive cannot hold the file.
  func write(_ file: ExportedFile) throws {
    switch kind {
    case .folder(let folder): try folder.write(file.bytes, file.name)
    case .archive(let whole): try whole.append(try archive.add(file.bytes, as: file.name))
    }
  }

  /// Moves the folder or archive to its final path.
  func commit() throws {
    switch kind {
    case .folder(let folder): try folder.commit()
    case .archive(let whole):
      try whole.append(archive.finish())
      _ = try whole.commit()
    }
  }
}
