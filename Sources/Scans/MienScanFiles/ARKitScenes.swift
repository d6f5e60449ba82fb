internal import Foundation
internal import MienScanFormat
internal import MienReconstruction
internal import MienCore

/// Reads a video of the ARKitScenes dataset: `lowres_depth/ID_TIME.png` in millimeters, `confidence/`, `lowres_wide/`,
/// `lowres_wide_intrinsics/ID_TIME.pincam` (`width height fx fy cx cy`), `lowres_wide.traj`; or the names of its sample
/// (``Names``).
///
/// A line of the trajectory is `time, axis times angle, translation`, from world to camera with OpenCV's camera axes;
/// the world's z points up. There are ten poses and up to sixty maps per second: a map's pose is interpolated between
/// the two adjacent ones, or is one at most 20 ms away. Some videos of the dataset have no trajectory.
struct ARKitScenes: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  private let tree: any FileTree
  private let names: Names
  private let frames: [File]
  private let images: [File]
  private let poses: PoseInterpolator
  /// Sorted by time.
  private let cameras: [File]

  private typealias File = (path: String, seconds: Double)

  /// Names of the folders and of the trajectory.
  private struct Names {
    let depth: String
    let images: String
    let cameras: String
    let trajectory: String

    static let all = [
      Names(
        depth: "lowres_depth/", images: "lowres_wide/", cameras: "lowres_wide_intrinsics/",
        trajectory: "lowres_wide.traj"),
      Names(depth: "depth_densified/", images: "wide/", cameras: "wide_intrinsics/", trajectory: "color.traj"),
      Names(depth: "depth_densified/", images: "color/", cameras: "color_intrinsics/", trajectory: "color.traj"),
    ]

    func are(in tree: any FileTree) -> Bool {
      tree.names.contains { $0.hasPrefix(depth) } && tree.names.contains { $0.hasPrefix(cameras) }
    }
  }

  /// Maximum time difference, in seconds, between a map and its intrinsics file: intrinsics change slowly, and some
  /// files are missing.
  private static let timeout = 0.05

  static func recognizes(_ tree: any FileTree) -> Bool { Names.all.contains { $0.are(in: tree) } }

  init(_ tree: any FileTree, micrometersPerStep: Int? = nil) throws(ScanError) {
    self.tree = tree
    guard let names = Names.all.first(where: { $0.are(in: tree) }) else {
      throw ScanError(.notAScan, "\(tree.name) is not a video of ARKitScenes")
    }
    self.names = names
    var poses: [(seconds: Double, pose: CameraPose?)] = []
    let trajectory =
      tree.has(names.trajectory)
      ? try NumberListParser.table(try tree.text(names.trajectory), file: names.trajectory, holes: true) : []
    for (number, row) in trajectory.enumerated() {
      guard row.count == 7, row[0].isFinite else {
        throw ScanError(.damaged, "\(names.trajectory): a row does not have seven numbers")
      }
      guard !row.contains(where: \.isNaN) else {
        poses.append((row[0], nil))
        continue
      }
      let pose = try DepthImageReader.pose(frame: number, names.trajectory) { () throws(PoseError) in
        try Self.pose(axis: [row[1], row[2], row[3]], place: [row[4], row[5], row[6]])
      }
      poses.append((row[0], pose))
    }
    self.poses = PoseInterpolator(poses)
    cameras = Self.timed(tree.names(in: names.cameras, ending: ".pincam"))
    frames = Self.timed(tree.names(in: names.depth, ending: ".png"))
    images = DepthImageReader.spread(Self.timed(tree.names(in: names.images, ending: ".png")))
    guard !frames.isEmpty else {
      throw ScanError(.missing, "\(names.depth.dropLast()) contains no map with a time")
    }
    header = try DepthImageReader.header(
      tree, frames.map(\.path), sensor: .lidar, micrometersPerStep: micrometersPerStep ?? 1000,
      world: self.poses.count == 0 ? .unleveled : .zUp, clock: .boot)
    remarks = self.poses.remarks(at: frames.map(\.seconds), within: Self.nearest, name: names.trajectory)
  }

  /// Returns the files with the time at the end of their names, after an underscore if there is a prefix, sorted by
  /// time.
  private static func timed(_ paths: [String]) -> [File] {
    paths.compactMap { path in
      let name = path.split(separator: "/").last.map { $0.prefix(upTo: $0.lastIndex(of: ".") ?? $0.endIndex) } ?? ""
      guard let seconds = name.split(separator: "_").last.flatMap({ Double($0) }), seconds.isFinite else { return nil }
      return (path, seconds)
    }.sorted { $0.seconds < $1.seconds }
  }

  /// Returns the camera's pose in the world, from a world-to-camera rotation vector and translation.
  private static func pose(axis: SIMD3<Double>, place: SIMD3<Double>) throws(PoseError) -> CameraPose {
    let angle = (axis * axis).sum().squareRoot()
    let half = angle / 2
    let scale = angle < 1e-12 ? 0.5 : sin(half) / angle
    // The inverse rotation has the opposite axis.
    let turned = SIMD4<Float>(
      Float(-axis.x * scale), Float(-axis.y * scale), Float(-axis.z * scale), Float(cos(half)))
    let rotation = try CameraPose(quaternion: turned, position: .zero)
    let center = rotation.world(SIMD3<Float>(Float(-place.x), Float(-place.y), Float(-place.z)))
    return try CameraPose(quaternion: turned, position: center).turnedAboutX
  }

  var count: Int { frames.count }
  var imageCount: Int { images.count }

  private func pose(at seconds: Double) -> CameraPose? { poses.pose(at: seconds, within: Self.nearest) }

  /// Maximum time difference, in seconds, to a pose that is not between two.
  private static let nearest = 0.02

  /// Returns the intrinsics of a map.
  private func camera(_ map: File, frame: Int) throws(ScanError) -> PinholeIntrinsics {
    guard let (camera, size) = try camera(at: map.seconds, frame: frame) else {
      throw ScanError(.missing, "\(names.cameras.dropLast()) has no file for \(map.path)", frame: frame)
    }
    return camera.scaled(from: size, to: header)
  }

  /// Returns the intrinsics nearest in time, and the size of the image to which they apply.
  private func camera(
    at seconds: Double, frame: Int
  ) throws(ScanError) -> (PinholeIntrinsics, size: (width: Double, height: Double))? {
    // Binary search.
    var low = 0
    var high = cameras.count
    while low < high {
      let middle = (low + high) / 2
      if cameras[middle].seconds < seconds { low = middle + 1 } else { high = middle }
    }
    let nearest = [low - 1, low].filter(cameras.indices.contains).map { cameras[$0] }.min {
      abs($0.seconds - seconds) < abs($1.seconds - seconds)
    }
    guard let nearest, abs(nearest.seconds - seconds) <= Self.timeout else { return nil }
    // Maps that are close in time can share a file; it is read again for each of them.
    let rows = try NumberListParser.table(try tree.text(nearest.path, limit: ImportLimits.line), file: nearest.path)
    guard let row = rows.first, row.count == 6, row[0] >= 1, row[1] >= 1 else {
      throw ScanError(.damaged, "\(nearest.path) does not have six numbers", frame: frame)
    }
    let camera = PinholeIntrinsics(fx: Float(row[2]), fy: Float(row[3]), cx: Float(row[4]), cy: Float(row[5]))
    return (camera, (row[0], row[1]))
  }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let map = frames[number]
    let confidence = "confidence/" + map.path.dropFirst(names.depth.count)
    return try DepthImageReader.frame(
      header, depth: try DepthImageReader.depth(tree, map.path, header, frame: number),
      confidence: try DepthImageReader.confidence(tree, confidence, header, frame: number), pose: pose(at: map.seconds),
      intrinsics: try camera(map, frame: number), seconds: map.seconds, number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let image = images[number]
    return try DepthImageReader.image(
      tree, image.path, role: .colorFrame, pose: pose(at: image.seconds),
      intrinsics: try camera(at: image.seconds, frame: number)?.0, seconds: image.seconds)
  }
}
