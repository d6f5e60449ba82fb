internal import MienFiles
package import MienScanFiles
package import MienScanFormat

/// Conversion of scans to bundles and to other formats.
package enum ScanConversion {
  /// Writes a scan as a bundle.
  ///
  /// - Parameters:
  ///   - onLeftOut: called with a line for each frame and image that cannot be read.
  ///   - progress: called with the number of finished frames and their total.
  /// - Returns: the length of the bundle in bytes, and the number of its frames.
  /// - Throws: ``OperationError``, `ScanError` if no frame can be read, `CancellationError`.
  package static func writeBundle(
    of scan: ScanImporter, coding: ScanWriter.Coding, to path: String, onLeftOut: @escaping (String) -> Void,
    progress: (Int, Int) -> Void
  ) throws -> (bytes: Int, frames: Int) {
    let file = try AtomicFile(path)
    var writer = ScanWriter(scan.header, coding: coding)
    try file.append(writer.start())
    var frames = ReadableFrames(scan) { onLeftOut($1.words(leavingOut: $0)) }
    while let frame = try frames.next() {
      try Task.checkCancellation()
      try file.append(try writer.append(frame))
      progress(frames.position, frames.total)
    }
    frames.summary.map(onLeftOut)
    try forEachImage(of: scan, onLeftOut: onLeftOut) { try file.append(try writer.append($0)) }
    try file.append(writer.finish())
    return (try file.commit(), frames.total - frames.leftOutCount)
  }

  /// Writes a scan in another format.
  ///
  /// - Parameters:
  ///   - name: name of the scan for error messages.
  ///   - onLeftOut: called with a line for each frame and image that cannot be read.
  ///   - progress: called with the number of finished frames and their total.
  /// - Returns: the number of written frames, and notes about what the format cannot hold.
  /// - Throws: ``OperationError``, `ScanError` if no frame can be read, `CancellationError`.
  package static func export(
    _ scan: ScanImporter, named name: String, as format: ScanExportFormat, to path: String,
    onLeftOut: @escaping (String) -> Void, progress: (Int, Int) -> Void
  ) throws -> (frames: Int, notes: [String]) {
    let target = try ExportDestination(path, asArchive: format.isArchive)
    var exporter = ScanExporter(format, scan.header)
    var frames = ReadableFrames(scan) { onLeftOut($1.words(leavingOut: $0)) }
    while let frame = try frames.next() {
      try Task.checkCancellation()
      for file in try exporter.add(frame) { try target.write(file) }
      progress(frames.position, frames.total)
    }
    frames.summary.map(onLeftOut)
    guard exporter.frameCount > 0 else {
      // No program would recognize the output as a scan.
      let reasons = ["\(name): there is no frame that \(format.rawValue) can hold."] + exporter.notes
      throw OperationError(reasons.joined(separator: " "))
    }
    try forEachImage(of: scan, onLeftOut: onLeftOut) { image in
      for file in exporter.add(image) { try target.write(file) }
    }
    for file in exporter.finish() { try target.write(file) }
    try target.commit()
    return (exporter.frameCount, exporter.notes)
  }

  /// Calls `body` with each image that can be read.
  private static func forEachImage(
    of scan: ScanImporter, onLeftOut: (String) -> Void, _ body: (ScanImage) throws -> Void
  ) throws {
    for number in 0..<scan.imageCount {
      try Task.checkCancellation()
      let image: ScanImage
      do throws(ScanError) { image = try scan.image(at: number) } catch {
        onLeftOut("picture \(number) is left out: \(error.reason)")
        continue
      }
      try body(image)
    }
  }
}

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
