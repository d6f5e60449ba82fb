internal import Foundation
internal import MienDepth
internal import MienModel

/// A recording in the format of the TUM RGB-D benchmark: `depth.txt`, `depth/….png` in steps of 0.2 mm, `rgb.txt`,
/// `groundtruth.txt`.
///
/// Poses are `timestamp tx ty tz qx qy qz qw` from camera to world, OpenCV's camera axes, z up; a map takes the one that is
/// nearest in time, at most 20 ms away. The benchmark's recordings do not bring intrinsics: those of its three cameras go by the
/// folder's name (`freiburg1`…`3`). Others of the format bring `calibration.txt` (`fx fy cx cy`, in pixels of the maps). Where
/// neither helps, the benchmark's default for 640×480 is taken: as much of the angle across.
struct TUMRecording: ScanSource {
  let header: ScanHeader
  let remarks: [ScanRemark]
  private let tree: any FileTree
  private let frames: [(seconds: Double, file: String)]
  private let pictures: [(seconds: Double, file: String)]
  private let poses: TimedPoses
  private let camera: PinholeIntrinsics

  static func recognises(_ tree: any FileTree) -> Bool { tree.has("depth.txt") }

  init(_ tree: any FileTree) throws(ScanError) {
    self.tree = tree
    frames = try Self.list(tree, "depth.txt")
    pictures = tree.has("rgb.txt") ? Array(try Self.list(tree, "rgb.txt").prefix(1000)) : []
    var poses: [(seconds: Double, pose: CameraPose)] = []
    if tree.has("groundtruth.txt") {
      for row in try Numbers.table(try tree.text("groundtruth.txt"), file: "groundtruth.txt") {
        guard row.count == 8 else { throw ScanError(.damaged, "groundtruth.txt: a row has not eight numbers") }
        let v = row.map(Float.init)
        let pose = try DepthFiles.pose(frame: poses.count, "groundtruth.txt") { () throws(PoseFault) in
          try CameraPose(quaternion: [v[4], v[5], v[6], v[7]], position: [v[1], v[2], v[3]])
        }
        poses.append((row[0], pose.turnedAboutX))
      }
    }
    self.poses = TimedPoses(poses)
    guard let first = frames.first else { throw ScanError(.missing, "depth.txt names no map") }
    header = try DepthFiles.header(
      tree, first.file, sensor: .depthCamera, micrometresPerStep: 200, world: poses.isEmpty ? .unlevelled : .zUp,
      clock: .unix)
    let own = try Self.camera(of: tree, header)
    camera = own ?? Self.usual(header)
    remarks = own == nil ? [ScanRemark(.noteNoIntrinsics)] : []
  }

  /// Nil when the recording does not say it.
  private static func camera(of tree: any FileTree, _ header: ScanHeader) throws(ScanError) -> PinholeIntrinsics? {
    let name = "calibration.txt"
    if tree.has(name) {
      let row = try Numbers.table(try tree.text(name), file: name).first?.map(Float.init) ?? []
      let camera = row.count == 4 ? PinholeIntrinsics(fx: row[0], fy: row[1], cx: row[2], cy: row[3]) : nil
      guard let camera, camera.isPlausible else {
        throw ScanError(.damaged, "calibration.txt does not begin with a camera's fx, fy, cx and cy in pixels")
      }
      return camera
    }
    let known: [(String, PinholeIntrinsics)] = [
      ("freiburg1", PinholeIntrinsics(fx: 517.3, fy: 516.5, cx: 318.6, cy: 255.3)),
      ("freiburg2", PinholeIntrinsics(fx: 520.9, fy: 521.0, cx: 325.1, cy: 249.7)),
      ("freiburg3", PinholeIntrinsics(fx: 535.4, fy: 539.2, cx: 320.1, cy: 247.6)),
    ]
    return known.first { tree.name.contains($0.0) }?.1.scaled(from: (640, 480), to: header)
  }

  /// Square pixels, whatever the sides: a map of 1280×720 is not one of 640×480 pressed flat.
  private static func usual(_ header: ScanHeader) -> PinholeIntrinsics {
    let focus = 525 * Float(header.width) / 640
    return PinholeIntrinsics(
      fx: focus, fy: focus, cx: Float(header.width - 1) / 2, cy: Float(header.height - 1) / 2)
  }

  private static func list(_ tree: any FileTree, _ name: String) throws(ScanError) -> [(seconds: Double, file: String)]
  {
    var entries: [(seconds: Double, file: String)] = []
    var lines = TextLines(try tree.text(name), file: name)
    while let line = try lines.next() {
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let parts = line.split(separator: " ")
      guard parts.count == 2, let seconds = Double(parts[0]), seconds.isFinite, tree.has(String(parts[1])) else {
        throw ScanError(.damaged, "\(name): “\(line.prefix(60))” is not a time and a file that is there")
      }
      entries.append((seconds, String(parts[1])))
    }
    return entries
  }

  var count: Int { frames.count }
  var pictureCount: Int { pictures.count }

  private func pose(at seconds: Double) -> CameraPose? { poses.pose(at: seconds, within: 0.02) }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let entry = frames[number]
    return try DepthFiles.frame(
      header, depth: try DepthFiles.depth(tree, entry.file, header, frame: number), confidence: nil,
      pose: pose(at: entry.seconds), intrinsics: camera, seconds: entry.seconds, number: number)
  }

  func picture(at number: Int) throws(ScanError) -> ScanPicture {
    let entry = pictures[number]
    // The benchmark registers depth to colour: one camera for both.
    return try DepthFiles.picture(
      tree, entry.file, role: .colourFrame, pose: pose(at: entry.seconds), intrinsics: camera, seconds: entry.seconds)
  }
}
