internal import Foundation
internal import MienScanFormat
internal import MienCore

/// Writes a folder of Stray Scanner; see ``StrayScanner`` for its content. Intrinsics are also written per frame.
struct StrayWriter: ScanFolderWriter {
  let micrometersPerStep = 1000
  let world = WorldAlignment.yUp
  private let header: ScanHeader
  private var rows = ["timestamp, frame, x, y, z, qx, qy, qz, qw, fx, fy, cx, cy"]
  private var camera: PinholeIntrinsics?
  private var unposed = 0
  private var images = 0

  init(_ header: ScanHeader) { self.header = header }

  var notes: [String] {
    var notes: [String] = []
    if unposed > 0 { notes.append("\(unposed) frames without a pose were left out: the format requires poses.") }
    if images > 0 { notes.append("\(images) pictures were left out: the format stores color in a video.") }
    return notes
  }

  mutating func add(_ frame: ScanFrame, depth: [UInt16], pose: CameraPose?, number: Int) -> [ExportedFile] {
    guard let pose else {
      unposed += 1
      return []
    }
    // Intrinsics apply to an image of 1920×1440, whatever the size of the depth maps.
    let (x, y) = (1920 / Double(header.width), 1440 / Double(header.height))
    let own = frame.intrinsics
    let camera = (
      Double(own.fx) * x, Double(own.fy) * y, (Double(own.cx) + 0.5) * x - 0.5, (Double(own.cy) + 0.5) * y - 0.5
    )
    if self.camera == nil {
      self.camera = PinholeIntrinsics(
        fx: Float(camera.0), fy: Float(camera.1), cx: Float(camera.2), cy: Float(camera.3))
    }
    let name = String(format: "%06d", rows.count - 1)
    let turned = pose.turnedAboutX
    let (q, p) = (turned.quaternion, turned.position)
    rows.append(
      "\(frame.at.seconds), \(name), \(p.x), \(p.y), \(p.z), \(q.x), \(q.y), \(q.z), \(q.w), "
        + "\(camera.0), \(camera.1), \(camera.2), \(camera.3)")
    var files = [
      ExportedFile(name: "depth/\(name).png", bytes: GrayPNGWriter.depth(depth, width: header.width))
    ]
    if let levels = frame.confidence {
      files.append(
        ExportedFile(name: "confidence/\(name).png", bytes: GrayPNGWriter.levels(levels, width: header.width)))
    }
    return files
  }

  mutating func add(_ image: ScanImage, pose: CameraPose?) -> [ExportedFile] {
    images += 1
    return []
  }

  mutating func finish() -> [ExportedFile] {
    let c = camera ?? PinholeIntrinsics(fx: 1440, fy: 1440, cx: 959.5, cy: 719.5)
    return [
      ExportedFile(name: "odometry.csv", bytes: Array((rows.joined(separator: "\n") + "\n").utf8)),
      ExportedFile(
        name: "camera_matrix.csv", bytes: Array("\(c.fx), 0.0, \(c.cx)\n0.0, \(c.fy), \(c.cy)\n0.0, 0.0, 1.0\n".utf8)),
    ]
  }
}
