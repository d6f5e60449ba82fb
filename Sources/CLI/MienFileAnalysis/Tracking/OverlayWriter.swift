internal import Foundation
internal import MienCodecs
package import MienCore
internal import MienFiles
internal import MienImaging

/// Writes images with landmarks, face box and pose drawn on them, for inspection.
package struct OverlayWriter: ~Copyable {
  private let folder: String
  private var decoder: ImageDecoder
  private let encoder: JPEGEncoder
  private var frame = Frame()
  private var written: [String: Int] = [:]

  package init(folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw OperationError("\(folder) cannot be made: \(error.fileReason)")
    }
    // Both are created first: a noncopyable value cannot be left partially initialized.
    let decoder = try ImageDecoder()
    let encoder = try JPEGEncoder()
    self.folder = folder
    self.decoder = decoder
    self.encoder = encoder
  }

  /// Draws on a decoded copy of `image` and writes it as `name`.jpg; a second image with the same name as `name`~2.jpg.
  package mutating func write(_ image: [UInt8], _ observation: FaceObservation, name: String) throws {
    try decoder.decode(image, into: &frame)
    var painter = DebugOverlayRenderer(frame)
    painter.draw(observation)
    let bytes = try encoder.encode(painter.frame, quality: 88)
    let nth = written[name, default: 0] + 1
    written[name] = nth
    let path = "\(folder)/\(name)\(nth == 1 ? "" : "~\(nth)").jpg"
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
  }
}
