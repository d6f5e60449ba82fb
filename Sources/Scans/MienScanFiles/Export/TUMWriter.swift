internal import Foundation
internal import MienCodecs
internal import MienScanFormat
internal import MienCore

/// Writes a recording in the format of the TUM RGB-D benchmark; see ``TUMRecording`` for its content.
///
/// Three files are additions that other programs ignore, so that ours reads the same surface: `calibration.txt` with
/// the intrinsics, `intrinsics.txt` with those of each frame if they vary, and `confidence/`. A comment in `depth.txt`
/// names the sensor, which decides how maps are filtered. A frame without a pose has a row of `nan`, because readers
/// interpolate poses.
struct TUMWriter: ScanFolderWriter {
  let micrometersPerStep = 200
  let world = WorldAlignment.zUp
  private let header: ScanHeader
  private var depths: [String]
  private var colors = ["# color pictures", "# timestamp filename"]
  private var poses = ["# ground truth trajectory", "# timestamp tx ty tz qx qy qz qw"]
  private var cameras = ["# timestamp fx fy cx cy"]
  private var camera: PinholeIntrinsics?
  private var isOneCamera = true
  private var hasPoses = false
  private var hasConfidence = false
  private var untimed = 0
  private var names: Set<String> = []

  static let camerasName = "intrinsics.txt"
  /// Begins the comment in the list of maps that names the sensor.
  static let sensorPrefix = "# sensor: "

  init(_ header: ScanHeader) {
    self.header = header
    depths = ["# depth maps", Self.sensorPrefix + header.sensor.rawValue, "# timestamp filename"]
  }

  var notes: [String] {
    var notes = ["Other programs assume the intrinsics of the benchmark's cameras: give them those in calibration.txt."]
    if hasConfidence { notes.append("Other programs ignore the folder confidence: the format has none.") }
    if untimed > 0 { notes.append("\(untimed) pictures without a time, or with that of another one, were left out.") }
    return notes
  }

  /// Formats timestamps as the benchmark does, also for file names; of frames with the same time, the later ones get a
  /// longer number.
  private mutating func name(_ at: MonotonicInstant, in folder: String) -> String {
    var digits = 6
    while !names.insert(folder + Self.time(at, digits: digits)).inserted { digits += 1 }
    return Self.time(at, digits: digits)
  }

  private static func time(_ at: MonotonicInstant, digits: Int = 6) -> String {
    String(format: "%.\(digits)f", at.seconds)
  }

  mutating func add(_ frame: ScanFrame, depth: [UInt16], pose: CameraPose?, number: Int) -> [ExportedFile] {
    let time = name(frame.at, in: "depth/")
    if let pose = pose?.turnedAboutX {
      let (p, q) = (pose.position, pose.quaternion)
      poses.append("\(time) \(p.x) \(p.y) \(p.z) \(q.x) \(q.y) \(q.z) \(q.w)")
      hasPoses = true
    } else {
      poses.append("\(time) nan nan nan nan nan nan nan")
    }
    let c = frame.intrinsics
    isOneCamera = isOneCamera && (camera == nil || camera == c)
    camera = camera ?? c
    cameras.append("\(time) \(c.fx) \(c.fy) \(c.cx) \(c.cy)")
    depths.append("\(time) depth/\(time).png")
    var files = [ExportedFile(name: "depth/\(time).png", bytes: GrayPNGWriter.depth(depth, width: header.width))]
    if let levels = frame.confidence {
      hasConfidence = true
      files.append(
        ExportedFile(name: "confidence/\(time).png", bytes: GrayPNGWriter.levels(levels, width: header.width)))
    }
    return files
  }

  mutating func add(_ image: ScanImage, pose: CameraPose?) -> [ExportedFile] {
    guard let at = image.at, names.insert("rgb/" + Self.time(at)).inserted else {
      untimed += 1
      return []
    }
    let time = Self.time(at)
    let file = "rgb/\(time).\(ImageFormat.sniff(image.bytes) == .png ? "png" : "jpg")"
    colors.append("\(time) \(file)")
    return [ExportedFile(name: file, bytes: image.bytes)]
  }

  mutating func finish() -> [ExportedFile] {
    var lists = [("depth.txt", depths), ("rgb.txt", colors)]
    // Without any pose, readers take the file for a trajectory that does not fit.
    if hasPoses { lists.append(("groundtruth.txt", poses)) }
    if let camera {
      lists.append(("calibration.txt", ["\(camera.fx) \(camera.fy) \(camera.cx) \(camera.cy)"]))
      if !isOneCamera { lists.append((Self.camerasName, cameras)) }
    }
    return lists.map { name, lines in
      ExportedFile(name: name, bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    }
  }
}
