internal import Foundation
internal import MienAuthenticity
internal import MienCodecs
internal import MienCore
internal import MienEvaluation
internal import MienFiles
internal import MienImaging
package import MienPlatform

/// Measurements of labeled images as frames of a liveness check, from which `Training/session.py` learns.
package struct FrameMeasurementTable {
  private let path: String
  private let table: Manifest
  private let observer: any FaceTracking

  /// Part of an image without a face that is measured in its place, if the label contains `scene`.
  private static let middle = FaceBox(x: 0.36, y: 0.27, width: 0.28, height: 0.4)

  /// - Parameter path: path of a table of labeled images.
  /// - Throws: ``OperationError`` if the table cannot be read.
  package init(manifest path: String, observer: any FaceTracking) throws {
    self.path = path
    self.observer = observer
    do {
      table = try Manifest(String(decoding: InputFile.bytes(path), as: UTF8.self), checks: [])
    } catch let error as Manifest.FormatError {
      throw OperationError("\(path): \(error).")
    }
  }

  /// Measures the images and returns a table of tab-separated values: one row per image with one face that can
  /// be measured.
  ///
  /// - Parameters:
  ///   - onUnusable: called with a line for each image that cannot be measured, and once with the time per frame.
  ///   - progress: called with the number of finished images and their total.
  package func run(onUnusable: (String) -> Void, progress: (Int, Int) -> Void) async throws -> String {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var lines = [(["path", "label", "source", "face"] + FrameMeasures.names).joined(separator: "\t")]
    var decoder: ImageDecoder
    do { decoder = try ImageDecoder(formats: ImageFormat.all) } catch { throw OperationError(error.reason) }
    var (frame, measures, took) = (Frame(), FrameMeasures(), Duration.zero)
    for (index, row) in table.rows.enumerated() {
      progress(index, table.rows.count)
      let bytes = try InputFile.bytes("\(folder)/\(row.path)")
      let found: FaceBox?
      do {
        let encoded = EncodedFrame(bytes: bytes, at: .zero)
        let seen = try await observer.observe(encoded, after: observer.newTrack()).observation
        found = seen.faceCount == 1 ? seen.face?.box : nil
        try decoder.decode(bytes, into: &frame)
      } catch {
        onUnusable("\(row.path): cannot be read")
        continue
      }
      guard let box = found ?? (row.label.contains("scene") ? Self.middle : nil) else {
        onUnusable("\(row.path): no face, or several")
        continue
      }
      let began = ContinuousClock.now
      let values = measures.measure(frame, face: box)
      took += began.duration(to: .now)
      guard let values else {
        onUnusable("\(row.path): too small")
        continue
      }
      let cells = [row.path, row.label, row.source, "\(box.height)"] + values.map { "\($0)" }
      lines.append(cells.joined(separator: "\t"))
    }
    if lines.count > 1 {
      let each = took / .milliseconds(1) / Double(lines.count - 1)
      onUnusable("\(lines.count - 1) frames measured, \((each * 100).rounded() / 100) ms each")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
