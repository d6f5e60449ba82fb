internal import Foundation
internal import MienCodecs
internal import MienScanFormat
internal import MienCore

/// Writes a video of the ARKitScenes dataset; see ``ARKitScenes`` for its content.
struct ARKitScenesWriter: ScanFolderWriter {
  let micrometersPerStep = 1000
  let world = WorldAlignment.zUp
  private let header: ScanHeader
  private var poses: [String] = []
  private var foreign = 0
  /// The dataset identifies its videos by eight-digit numbers.
  private static let video = "00000000"

  init(_ header: ScanHeader) { self.header = header }

  var notes: [String] {
    foreign == 0 ? [] : ["\(foreign) pictures were left out: the format takes PNGs with a time."]
  }

  private static func name(_ at: MonotonicInstant) -> String { String(format: "%@_%.3f", video, at.seconds) }

  /// Formats a world-to-camera rotation vector and translation, in OpenCV's camera axes.
  private static func line(_ pose: CameraPose, _ at: MonotonicInstant) -> String {
    let camera = pose.turnedAboutX
    let q = camera.quaternion
    let sine = (q.x * q.x + q.y * q.y + q.z * q.z).squareRoot()
    let angle = 2 * atan2(sine, q.w)
    let scale = sine < 1e-12 ? 2 : angle / sine
    let origin = camera.camera(.zero)
    return String(
      format: "%.6f %.9f %.9f %.9f %.9f %.9f %.9f", at.seconds, -q.x * scale, -q.y * scale, -q.z * scale,
      Double(origin.x), Double(origin.y), Double(origin.z))
  }

  mutating func add(_ frame: ScanFrame, depth: [UInt16], pose: CameraPose?, number: Int) -> [ExportedFile] {
    let name = Self.name(frame.at)
    if let pose { poses.append(Self.line(pose, frame.at)) }
    let c = frame.intrinsics
    var files = [
      ExportedFile(name: "lowres_depth/\(name).png", bytes: GrayPNGWriter.depth(depth, width: header.width)),
      ExportedFile(
        name: "lowres_wide_intrinsics/\(name).pincam",
        bytes: Array("\(header.width) \(header.height) \(c.fx) \(c.fy) \(c.cx) \(c.cy)\n".utf8)),
    ]
    if let levels = frame.confidence {
      files.append(
        ExportedFile(name: "confidence/\(name).png", bytes: GrayPNGWriter.levels(levels, width: header.width)))
    }
    return files
  }

  mutating func add(_ image: ScanImage, pose: CameraPose?) -> [ExportedFile] {
    guard let at = image.at, ImageFormat.sniff(image.bytes) == .png else {
      foreign += 1
      return []
    }
    return [ExportedFile(name: "lowres_wide/\(Self.name(at)).png", bytes: image.bytes)]
  }

  mutating func finish() -> [ExportedFile] {
    [ExportedFile(name: "lowres_wide.traj", bytes: Array((poses.joined(separator: "\n") + "\n").utf8))]
  }
}
