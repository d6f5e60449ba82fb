internal import Foundation
internal import MienDepth
internal import MienModel

/// A video of the ARKitScenes data: `lowres_depth/ID_TIME.png` in millimetres, `confidence/`, `lowres_wide/`,
/// `lowres_wide_intrinsics/ID_TIME.pincam` (`width height fx fy cx cy`), `lowres_wide.traj`.
///
/// A line of the trajectory is `time, axis times angle, place`, from world to camera with OpenCV's camera axes; the world's
/// z points up. A map takes the pose nearest in time, at most 60 ms away (poses come ten times a second).
struct ARKitScenes: ScanSource {
  let header: ScanHeader
  let remarks: [ScanRemark]
  private let tree: any FileTree
  private let frames: [(name: String, seconds: Double)]
  private let pictures: [(name: String, seconds: Double)]
  private let poses: TimedPoses
  private let cameras: Set<String>

  static func recognises(_ tree: any FileTree) -> Bool {
    tree.has("lowres_wide.traj") && tree.names.contains { $0.hasPrefix("lowres_depth/") }
  }

  init(_ tree: any FileTree) throws(ScanError) {
    self.tree = tree
    var poses: [(seconds: Double, pose: CameraPose)] = []
    for row in try Numbers.table(try tree.text("lowres_wide.traj"), file: "lowres_wide.traj") {
      guard row.count == 7 else { throw ScanError(.damaged, "lowres_wide.traj: a row has not seven numbers") }
      let pose = try DepthFiles.pose(frame: poses.count, "lowres_wide.traj") { () throws(PoseFault) in
        try Self.pose(axis: [row[1], row[2], row[3]], place: [row[4], row[5], row[6]])
      }
      poses.append((row[0], pose))
    }
    self.poses = TimedPoses(poses)
    cameras = Set(tree.names(in: "lowres_wide_intrinsics/", ending: ".pincam"))
    frames = Self.timed(tree.names(in: "lowres_depth/", ending: ".png"))
    pictures = Array(Self.timed(tree.names(in: "lowres_wide/", ending: ".png")).prefix(1000))
    guard let first = frames.first else { throw ScanError(.missing, "lowres_depth holds no map with a time") }
    header = try DepthFiles.header(
      tree, "lowres_depth/\(first.name).png", sensor: .lidar, micrometresPerStep: 1000, world: .zUp, clock: .boot)
    remarks = []
  }

  /// Names without folder and ending, and the time after the underscore.
  private static func timed(_ names: [String]) -> [(name: String, seconds: Double)] {
    names.compactMap { path in
      let name = path.split(separator: "/").last?.dropLast(4) ?? ""
      guard let seconds = name.split(separator: "_").last.flatMap({ Double($0) }), seconds.isFinite else { return nil }
      return (String(name), seconds)
    }.sorted { $0.seconds < $1.seconds }
  }

  /// The camera in the world, from a rotation about an axis and a translation that lead from world to camera.
  private static func pose(axis: SIMD3<Double>, place: SIMD3<Double>) throws(PoseFault) -> CameraPose {
    let angle = (axis * axis).sum().squareRoot()
    let half = angle / 2
    let scale = angle < 1e-12 ? 0.5 : sin(half) / angle
    // The inverse rotation has the opposite axis.
    let turned = SIMD4<Float>(
      Float(-axis.x * scale), Float(-axis.y * scale), Float(-axis.z * scale), Float(cos(half)))
    let rotation = try CameraPose(quaternion: turned, position: .zero)
    let centre = rotation.world(SIMD3<Float>(Float(-place.x), Float(-place.y), Float(-place.z)))
    return try CameraPose(quaternion: turned, position: centre).turnedAboutX
  }

  var count: Int { frames.count }
  var pictureCount: Int { pictures.count }

  private func pose(at seconds: Double) -> CameraPose? { poses.pose(at: seconds, within: 0.06) }

  /// Intrinsics of the map with this name, or of the one a millisecond beside it, as the data's own tools look.
  private func camera(_ name: String, seconds: Double, frame: Int) throws(ScanError) -> PinholeIntrinsics {
    let stem = name.split(separator: "_").dropLast().joined(separator: "_")
    let names = [0, -0.001, 0.001].map { String(format: "%@_%.3f", stem, seconds + $0) }
    guard let file = names.map({ "lowres_wide_intrinsics/\($0).pincam" }).first(where: cameras.contains) else {
      throw ScanError(.missing, "lowres_wide_intrinsics has no file for \(name)", frame: frame)
    }
    // Maps whose times differ by less than a millisecond share a file: it is read again for each of them.
    let rows = try Numbers.table(try tree.text(file, limit: FileLimit.line), file: file)
    guard let row = rows.first, row.count == 6, row[0] >= 1, row[1] >= 1 else {
      throw ScanError(.damaged, "\(file) has not six numbers", frame: frame)
    }
    return PinholeIntrinsics(fx: Float(row[2]), fy: Float(row[3]), cx: Float(row[4]), cy: Float(row[5]))
      .scaled(from: (row[0], row[1]), to: header)
  }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let entry = frames[number]
    return try DepthFiles.frame(
      header, depth: try DepthFiles.depth(tree, "lowres_depth/\(entry.name).png", header, frame: number),
      confidence: try DepthFiles.confidence(tree, "confidence/\(entry.name).png", header, frame: number),
      pose: pose(at: entry.seconds), intrinsics: try camera(entry.name, seconds: entry.seconds, frame: number),
      seconds: entry.seconds, number: number)
  }

  func picture(at number: Int) throws(ScanError) -> ScanPicture {
    let entry = pictures[number]
    return try DepthFiles.picture(
      tree, "lowres_wide/\(entry.name).png", role: .colourFrame, pose: pose(at: entry.seconds), intrinsics: nil,
      seconds: entry.seconds)
  }
}
