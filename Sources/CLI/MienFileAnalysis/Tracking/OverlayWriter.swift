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
    if let face = observation.face { Self.draw(face, on: &painter) }
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

  private static func draw(_ face: ObservedFace, on painter: inout DebugOverlayRenderer) {
    let size = SIMD2(Float(painter.frame.width), Float(painter.frame.height))
    let unit = max(1, size.max() / 640)
    let box = face.box
    painter.drawRectangle(
      from: SIMD2(box.x, box.y) * size, to: SIMD2(box.x + box.width, box.y + box.height) * size, width: unit,
      Pixel(red: 255, green: 196, blue: 0))
    for point in face.landmarks.points {
      painter.drawDisc(at: SIMD2(point.x, point.y) * size, radius: unit * 0.6, Pixel(red: 64, green: 220, blue: 255))
    }
    let nose = face.landmarks.points[1]
    let origin = SIMD2(nose.x, nose.y) * size
    for (axis, color) in zip(axes(of: face.pose), [red, green, blue]) {
      painter.drawLine(from: origin, to: origin + axis * box.width * size.x * 0.6, width: unit * 2.5, color)
    }
  }

  private static let red = Pixel(red: 255, green: 64, blue: 64)
  private static let green = Pixel(red: 64, green: 230, blue: 64)
  private static let blue = Pixel(red: 90, green: 120, blue: 255)

  /// Returns the head's right-of-image, up and forward axes projected onto the image (y down): the columns of R =
  /// Ry(yaw) · Rx(−pitch) · Rz(roll) without their depth.
  static func axes(of pose: HeadPose) -> [SIMD2<Float>] {
    let (sy, cy) = sine(pose.yaw)
    let (sp, cp) = sine(-pose.pitch)
    let (sr, cr) = sine(pose.roll)
    let x = SIMD2(cy * cr + sy * sp * sr, cp * sr)
    let y = SIMD2(-cy * sr + sy * sp * cr, cp * cr)
    let z = SIMD2(sy * cp, -sp)
    return [x, y, z].map { SIMD2($0.x, -$0.y) }
  }

  private static func sine(_ degrees: Float) -> (sine: Float, cosine: Float) {
    let radians = Double(degrees) * .pi / 180
    return (Float(sin(radians)), Float(cos(radians)))
  }
}
