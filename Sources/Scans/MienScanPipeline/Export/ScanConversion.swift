package import MienScanFormat
internal import MienFiles
package import MienScanFiles

/// Conversion of scans to bundles and to other formats.
package enum ScanConversion {
  /// Writes a scan as a bundle.
  ///
  /// - Parameter progress: called with the number of finished frames and their total.
  /// - Returns: the length of the bundle in bytes.
  /// - Throws: ``OperationError``, `ScanError`, `CancellationError`.
  package static func writeBundle(
    of scan: ScanImporter, coding: ScanWriter.Coding, to path: String, progress: (Int, Int) -> Void
  ) throws -> Int {
    let file = try AtomicFile(path)
    var writer = ScanWriter(scan.header, coding: coding)
    try file.append(writer.start())
    var cursor = scan.cursor()
    for number in 0..<scan.frameCount {
      try Task.checkCancellation()
      try file.append(try writer.append(try cursor.frame(at: number)))
      progress(number + 1, scan.frameCount)
    }
    for number in 0..<scan.imageCount { try file.append(try writer.append(try scan.image(at: number))) }
    try file.append(writer.finish())
    return try file.commit()
  }

  /// Writes a scan in another format.
  ///
  /// - Parameters:
  ///   - name: name of the scan for error messages.
  ///   - progress: called with the number of finished frames and their total.
  /// - Returns: the number of written frames, and notes about what the format cannot hold.
  /// - Throws: ``OperationError``, `ScanError`, `CancellationError`.
  package static func export(
    _ scan: ScanImporter, named name: String, as format: ScanExportFormat, to path: String,
    progress: (Int, Int) -> Void
  ) throws -> (frames: Int, notes: [String]) {
    let target = try ExportDestination(path, asArchive: format.isArchive)
    var exporter = ScanExporter(format, scan.header)
    var cursor = scan.cursor()
    for number in 0..<scan.frameCount {
      try Task.checkCancellation()
      for file in try exporter.add(try cursor.frame(at: number)) { try target.write(file) }
      progress(number + 1, scan.frameCount)
    }
    guard exporter.frameCount > 0 else {
      // No program would recognize the output as a scan.
      let reasons = ["\(name): there is no frame that \(format.rawValue) can hold."] + exporter.notes
      throw OperationError(reasons.joined(separator: " "))
    }
    for number in 0..<scan.imageCount {
      try Task.checkCancellation()
      for file in exporter.add(try scan.image(at: number)) { try target.write(file) }
    }
    for file in exporter.finish() { try target.write(file) }
    try target.commit()
    return (exporter.frameCount, exporter.notes)
  }
}
