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
  private var skippedImages = 0
  private var unposed = 0
  /// The dataset identifies its videos by eight-digit numbers.
  private static let video = "00000000"

  init(_ header: ScanHeader) { self.header = header }

  var notes: [String] {
    var notes: [String] = []
    if skippedImages > 0 { notes.append("\(skippedImages) pictures were left out: the format takes PNGs with a time.") }
    if unposed > 0 {
      notes.append("\(unposed) frames have no pose; readers interpolate it between their neighbors.")
    }
    return notes
  }

  /// Times of the maps so far, as in their names.
  private var times: Set<String> = []

  private static func time(_ at: MonotonicInstant, digits: Int) -> String {
    String(format: "%.\(digits)f", at.seconds)
  }

  /// Returns the time in a map's name: in milliseconds as the dataset has it, with more digits if another map has it.
  private mutating func time(_ at: MonotonicInstant) -> String {
    var digits = 3
    while !times.insert(Self.time(at, digits: digits)).inserted { digits += 1 }
    return Self.time(at, digits: digits)
  }

  /// Formats a world-to-camera rotation vector and translation, in OpenCV's camera axes. The time is exactly that of the
  /// map, so that readers do not interpolate.
  private static func line(_ pose: CameraPose, _ time: String) -> String {
    let camera = pose.turnedAboutX
    let q = camera.quaternion
    let sine = (q.x * q.x + q.y * q.y + q.z * q.z).squareRoot()
    let angle = 2 * atan2(sine, q.w)
    let scale = sine < 1e-12 ? 2 : angle / sine
    let origin = camera.camera(.zero)
    return String(
      format: "%@ %.9f %.9f %.9f %.9f %.9f %.9f", time, -q.x * scale, -q.y * scale, -q.z * scale,
      Double(origin.x), Double(origin.y), Double(origin.z))
  }

  mutating func add(_ frame: ScanFrame, depth: [UInt16], pose: CameraPose?, number: Int) -> [ExportedFile] {
    let time = time(frame.at)
    let name = "\(Self.video)_\(time)"
    if let pose { poses.append(Self.line(pose, time)) } else { unposed += 1 }
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
      skippedImages += 1
      return []
    }
    return [ExportedFile(name: "lowres_wide/\(Self.video)_\(Self.time(at, digits: 3)).png", bytes: image.bytes)]
  }

  mutating func finish() -> [ExportedFile] {
    [ExportedFile(name: "lowres_wide.traj", bytes: Array((poses.joined(separator: "\n") + "\n").utf8))]
  }
}
