internal import Foundation
internal import MienCore
internal import MienScanFormat
internal import MienFiles
package import MienScanFiles

/// Description of a scan's contents.
package struct ScanInfoReport {
  private let scan: ScanImporter
  private let withPose: Int
  private let withConfidence: Int
  private let seconds: Double?
  private let leftOut: Int

  /// - Parameter onLeftOut: receives a line for each frame that cannot be read.
  /// - Throws: ``OperationError`` if no frame can be read.
  package init(_ scan: ScanImporter, of path: String, onLeftOut: @escaping (String) -> Void) throws {
    self.scan = scan
    var (poses, confidences) = (0, 0)
    var times: [Double] = []
    var frames = ReadableFrames(scan) { onLeftOut("\(path): \($1.words(leavingOut: $0))") }
    do throws(ScanError) {
      while let frame = try frames.next() {
        if frame.pose != nil { poses += 1 }
        if frame.confidence != nil { confidences += 1 }
        times.append(frame.at.seconds)
      }
    } catch {
      throw OperationError("\(path): \(error.description)")
    }
    (withPose, withConfidence, leftOut) = (poses, confidences, frames.leftOutCount)
    seconds = times.max().flatMap { last in times.min().map { last - $0 } }
  }

  package func words(path: String) -> String {
    let header = scan.header
    var lines = [
      path,
      "  format      \(scan.format.rawValue)",
      "  sensor      \(header.sensor.rawValue)\(header.device.isEmpty ? "" : ", \(header.device)")",
      "  depth       \(scan.frameCount) maps of \(header.width)×\(header.height), "
        + "steps of \(Double(header.micrometersPerStep) / 1000) mm",
      "  poses       \(withPose) of \(scan.frameCount), world \(header.world.rawValue)",
      "  confidence  \(withConfidence) of \(scan.frameCount)",
      "  pictures    \(scan.imageCount)",
    ]
    if leftOut > 0 { lines.append("  left out    \(leftOut) maps that cannot be read") }
    if let seconds { lines.append("  duration    \((seconds * 10).rounded() / 10) s, clock \(header.clock.rawValue)") }
    lines += scan.notes.map { "  note        \($0)" }
    return lines.joined(separator: "\n")
  }

  package func json(path: String) throws -> String {
    let header = scan.header
    var fields: [String: Any] = [
      "input": path, "format": scan.format.rawValue, "sensor": header.sensor.rawValue, "device": header.device,
      "width": header.width, "height": header.height, "micrometers-per-step": header.micrometersPerStep,
      "frames": scan.frameCount, "frames-left-out": leftOut, "poses": withPose, "confidence": withConfidence,
      "pictures": scan.imageCount,
      "world": header.world.rawValue, "clock": header.clock.rawValue, "notes": scan.notes,
    ]
    if let seconds { fields["seconds"] = seconds }
    let data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }
}
