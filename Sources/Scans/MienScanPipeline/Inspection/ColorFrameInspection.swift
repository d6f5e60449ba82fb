internal import MienCodecs
internal import MienScanFormat
internal import MienReconstruction
internal import MienImaging
internal import MienScanFiles

/// Inspects the color frames of a scan.
enum ColorFrameInspection {
  /// Inspects a sample of the frames, one image in memory at a time. An image that cannot be read or decoded is
  /// skipped; the error is reported by the code that uses the image.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  static func inspect(_ scan: ScanImporter) throws -> ColorFrameInspector {
    var inspector = ColorFrameInspector()
    // Photos are few and are inspected separately; an image's role is known only after it is read.
    let chosen = ColorFrameInspector.chosen(of: scan.imageCount)
    guard !chosen.isEmpty else { return inspector }
    var decoder = try ImageDecoder()
    var frame = Frame()
    for number in chosen {
      try Task.checkCancellation()
      guard let image = try? scan.image(at: number), image.role == .colorFrame else { continue }
      do { try decoder.decode(image.bytes, turning: false, into: &frame) } catch { continue }
      inspector.see(frame)
    }
    return inspector
  }
}
