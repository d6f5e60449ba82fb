internal import Foundation
internal import MienDepth
internal import MienModel

/// A recording in the format of the TUM RGB-D benchmark: `depth.txt`, `depth/….png` in steps of 0.2 mm, `rgb.txt`,
/// `groundtruth.txt` (``TUMLists`` for the other lists that there are).
///
/// Poses are `timestamp tx ty tz qx qy qz qw` from camera to world, OpenCV's camera axes, z up; a map takes the pose of its time, between
/// the two beside it, or one that is at most 20 ms away. The benchmark's recordings do not bring intrinsics: those of published ones go by
/// the folders' names (``TUMCamera``). Others bring `calibration.txt` (`fx fy cx cy`, in pixels of the maps). Where
/// neither helps, the benchmark's default for 640×480 is taken: as much of the angle across.
struct TUMRecording: ScanSource {
  let header: ScanHeader
  let remarks: [ScanRemark]
  private let tree: any FileTree
  private let frames: [TUMLists.Entry]
  private let pictures: [TUMLists.Entry]
  private let poses: TimedPoses
  private let camera: PinholeIntrinsics
  /// Seconds of a unit of the lists' times.
  private let unit: Double

  static func recognises(_ tree: any FileTree) -> Bool { TUMLists.recognises(tree) }

  init(_ tree: any FileTree) throws(ScanError) {
    self.tree = tree
    let lists = try TUMLists(tree)
    frames = lists.depth
    pictures = DepthFiles.spread(lists.colour)
    let way = Self.way(in: tree)
    // Nobody but ICL-NUIM names the way so.
    let known = TUMCamera.known(by: tree.trail) ?? (way?.hasSuffix(".freiburg") == true ? TUMCamera.rendered : nil)
    unit = known?.secondsPerNumber ?? 1
    var (poses, lost): ([(seconds: Double, pose: CameraPose)], Int) = ([], 0)
    if let way {
      for (number, row) in try Numbers.table(try tree.text(way), file: way, holes: true).enumerated() {
        guard row.count == 8, row[0].isFinite else { throw ScanError(.damaged, "\(way): a row has not eight numbers") }
        let read = try DepthFiles.pose(
          quaternion: Array(row[4...]), place: Array(row[1..<4]), frame: number, way)
        let pose = read.flatMap { known == nil ? $0 : known?.camera($0) }
        if let pose { poses.append((row[0], pose.turnedAboutX)) } else { lost += 1 }
      }
    }
    self.poses = TimedPoses(poses)
    header = try DepthFiles.header(
      tree, frames[0].file, sensor: .depthCamera, micrometresPerStep: 200,
      world: poses.isEmpty || known?.isLevelled == false ? .unlevelled : .zUp, clock: unit == 1 ? .unix : .start)
    let own = try Self.camera(of: tree) ?? known?.intrinsics.scaled(from: (640, 480), to: header)
    camera = own ?? Self.usual(header)
    remarks =
      lists.remarks + DepthFiles.remarks(unposed: lost) + (own == nil ? [ScanRemark(.noteNoIntrinsics)] : [])
  }

  /// The file of the camera's way; nil when there is none.
  private static func way(in tree: any FileTree) -> String? {
    tree.has("groundtruth.txt")
      ? "groundtruth.txt" : tree.names.first { $0.hasSuffix(".gt.freiburg") && !$0.contains("/") }
  }

  /// Nil when the recording does not say it.
  private static func camera(of tree: any FileTree) throws(ScanError) -> PinholeIntrinsics? {
    let name = "calibration.txt"
    guard tree.has(name) else { return nil }
    let row = try Numbers.table(try tree.text(name), file: name).first?.map(Float.init) ?? []
    // What follows are the lens's distortions, which are small in a map.
    let camera = row.count >= 4 ? PinholeIntrinsics(fx: row[0], fy: row[1], cx: row[2], cy: row[3]) : nil
    guard let camera, camera.isPlausible else {
      throw ScanError(.damaged, "calibration.txt does not begin with a camera's fx, fy, cx and cy in pixels")
    }
    return camera
  }

  /// Square pixels, whatever the sides: a map of 1280×720 is not one of 640×480 pressed flat.
  private static func usual(_ header: ScanHeader) -> PinholeIntrinsics {
    let focus = 525 * Float(header.width) / 640
    return PinholeIntrinsics(
      fx: focus, fy: focus, cx: Float(header.width - 1) / 2, cy: Float(header.height - 1) / 2)
  }

  var count: Int { frames.count }
  var pictureCount: Int { pictures.count }

  private func pose(at time: Double) -> CameraPose? { poses.pose(at: time, within: 0.02) }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let entry = frames[number]
    return try DepthFiles.frame(
      header, depth: try DepthFiles.depth(tree, entry.file, header, frame: number), confidence: nil,
      pose: pose(at: entry.seconds), intrinsics: camera, seconds: entry.seconds * unit, number: number)
  }

  func picture(at number: Int) throws(ScanError) -> ScanPicture {
    let entry = pictures[number]
    // The benchmark registers depth to colour: one camera for both.
    return try DepthFiles.picture(
      tree, entry.file, role: .colourFrame, pose: pose(at: entry.seconds), intrinsics: camera,
      seconds: entry.seconds * unit)
  }
}
