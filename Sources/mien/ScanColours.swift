import MienCodecs
import MienDepth
import MienImaging
import MienScanFiles

/// Looks at the colour frames of a scan.
enum ScanColours {
  /// One picture is in memory at a time; one that cannot be read or decoded is told elsewhere, where it is used.
  ///
  /// - Throws: when it is cancelled.
  static func inspect(_ scan: ScanImporter) throws -> ColourFrameInspector {
    var inspector = ColourFrameInspector()
    // Photos are few and looked at by themselves; what is which is only known when it is read.
    let chosen = ColourFrameInspector.chosen(of: scan.pictureCount)
    guard !chosen.isEmpty else { return inspector }
    var decoder = try PictureDecoder()
    var frame = Frame()
    for number in chosen {
      try Task.checkCancellation()
      guard let picture = try? scan.picture(at: number), picture.role == .colourFrame else { continue }
      do { try decoder.decode(picture.bytes, turning: false, into: &frame) } catch { continue }
      inspector.see(frame)
    }
    return inspector
  }
}
