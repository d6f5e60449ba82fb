import MienCodecs
import MienDepth
import MienImaging
import MienScanFiles

/// Looks at the colour frames of a scan.
enum ColorFrameInspection {
  /// One picture is in memory at a time; one that cannot be read or decoded is told elsewhere, where it is used.
  ///
  /// - Throws: when it is cancelled.
  static func inspect(_ scan: ScanImporter) throws -> ColorFrameInspector {
    var inspector = ColorFrameInspector()
    // Photos are few and looked at by themselves; what is which is only known when it is read.
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
