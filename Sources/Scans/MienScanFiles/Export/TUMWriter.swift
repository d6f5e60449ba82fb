internal import Foundation
internal import MienCodecs
internal import MienScanFormat
internal import MienCore

/// Writes a recording in the format of the TUM RGB-D benchmark; see ``TUMRecording`` for its content.
struct TUMWriter: ScanFolderWriter {
  let micrometersPerStep = 200
  let world = WorldAlignment.zUp
  private let header: ScanHeader
  private var depths = ["# depth maps", "# timestamp filename"]
  private var colors = ["# color pictures", "# timestamp filename"]
  private var poses = ["# ground truth trajectory", "# timestamp tx ty tz qx qy qz qw"]
  private var hasConfidence = false
  private var untimed = 0

  init(_ header: ScanHeader) { self.header = header }

  var notes: [String] {
    var notes = ["The format has no intrinsics: its readers take those of the benchmark's cameras."]
    if hasConfidence { notes.append("Confidence was left out: the format has none.") }
    if untimed > 0 { notes.append("\(untimed) pictures without a time were left out.") }
    return notes
  }

  /// Formats timestamps as the benchmark does, also for file names.
  private static func name(_ at: MonotonicInstant) -> String { String(format: "%.6f", at.seconds) }

  mutating func add(_ frame: ScanFrame, depth: [UInt16], pose: CameraPose?, number: Int) -> [ExportedFile] {
    let time = Self.name(frame.at)
    hasConfidence = hasConfidence || frame.confidence != nil
    if let pose = pose?.turnedAboutX {
      let (p, q) = (pose.position, pose.quaternion)
      poses.append("\(time) \(p.x) \(p.y) \(p.z) \(q.x) \(q.y) \(q.z) \(q.w)")
    }
    depths.append("\(time) depth/\(time).png")
    return [ExportedFile(name: "depth/\(time).png", bytes: GrayPNGWriter.depth(depth, width: header.width))]
  }

  mutating func add(_ image: ScanImage, pose: CameraPose?) -> [ExportedFile] {
    guard let at = image.at else {
      untimed += 1
      return []
    }
    let time = Self.name(at)
    let file = "rgb/\(time).\(ImageFormat.sniff(image.bytes) == .png ? "png" : "jpg")"
    colors.append("\(time) \(file)")
    return [ExportedFile(name: file, bytes: image.bytes)]
  }

  mutating func finish() -> [ExportedFile] {
    [("depth.txt", depths), ("rgb.txt", colors), ("groundtruth.txt", poses)].map { name, lines in
      ExportedFile(name: name, bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    }
  }
}
