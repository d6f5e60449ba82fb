internal import Foundation
internal import MienCodecs
internal import MienCore
internal import MienReconstruction
internal import MienScanFormat

/// Reads a recording in the format of the TUM RGB-D benchmark: `depth.txt`, `depth/….png` in steps of 0.2 mm,
/// `rgb.txt`, `groundtruth.txt` (see ``TUMAssociationLists`` for other lists).
///
/// Poses are `timestamp tx ty tz qx qy qz qw` from camera to world, OpenCV's camera axes, z up; a map's pose is
/// interpolated between the two adjacent ones, or is one at most 20 ms away. The benchmark's recordings do not include
/// intrinsics: those of published ones are determined by folder names (``TUMIntrinsicsPresets``). Others have
/// `calibration.txt` (`fx fy cx cy`, in pixels of the maps). Otherwise, the benchmark's default for 640×480 is used,
/// with the same horizontal field of view. Recordings written by this project (``TUMWriter``) also have
/// `intrinsics.txt` (`timestamp fx fy cx cy`) if the intrinsics vary, and `confidence/` if the sensor reports it.
struct TUMRecording: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  private let tree: any FileTree
  private let frames: [TUMAssociationLists.Entry]
  private let images: [TUMAssociationLists.Entry]
  private let poses: PoseInterpolator
  private let camera: PinholeIntrinsics
  /// Intrinsics of single frames, by time in microseconds.
  private let cameras: [Int64: PinholeIntrinsics]
  /// Seconds per unit of the listed timestamps.
  private let unit: Double

  static func recognizes(_ tree: any FileTree) -> Bool { TUMAssociationLists.recognizes(tree) }

  init(_ tree: any FileTree, micrometersPerStep: Int? = nil) throws(ScanError) {
    self.tree = tree
    let lists = try TUMAssociationLists(tree)
    frames = lists.depth
    images = DepthImageReader.spread(lists.color)
    let trajectoryName = Self.trajectoryName(in: tree)
    // Only ICL-NUIM uses this name for the trajectory.
    let known =
      TUMIntrinsicsPresets.known(by: tree.trail)
      ?? (trajectoryName?.hasSuffix(".freiburg") == true ? TUMIntrinsicsPresets.rendered : nil)
    unit = known?.secondsPerNumber ?? 1
    var poses: [(seconds: Double, pose: CameraPose?)] = []
    if let trajectoryName {
      for (number, row) in try NumberListParser.table(try tree.text(trajectoryName), file: trajectoryName, holes: true)
        .enumerated()
      {
        guard row.count == 8, row[0].isFinite else {
          throw ScanError(.damaged, "\(trajectoryName): a row does not have eight numbers")
        }
        let read = try DepthImageReader.pose(
          quaternion: Array(row[4...]), place: Array(row[1..<4]), frame: number, trajectoryName)
        let pose = read.flatMap { known == nil ? $0 : known?.camera($0) }
        poses.append((row[0], pose?.turnedAboutX))
      }
    }
    let positions = PoseInterpolator(poses)
    self.poses = positions
    // Poses at other times than those of the maps say nothing about where is up.
    let isPosed = frames.contains { positions.pose(at: $0.seconds, within: Self.nearest) != nil }
    let (width, height) = try DepthImageReader.size(of: frames) { entry, frame throws(ScanError) in
      let map = try DepthImageReader.gray16(tree, entry.file, frame: frame)
      return (map.width, map.height)
    }
    guard
      let header = ScanHeader(
        // A phone's LiDAR has maps of a size that no other depth camera has.
        device: "",
        sensor: try Self.sensor(of: tree) ?? (width * height == 256 * 192 ? .lidar : .depthCamera),
        width: width, height: height,
        micrometersPerStep: micrometersPerStep ?? 200,
        world: !isPosed || known?.isLeveled == false ? .unleveled : .zUp,
        clock: unit == 1 ? .unix : .start)
    else { throw ScanError(.tooMuch, "the maps are \(width)×\(height)", frame: 0) }
    self.header = header
    cameras = try Self.cameras(of: tree)
    let own =
      try Self.camera(of: tree) ?? cameras.first?.value
      ?? known?.intrinsics.scaled(from: (640, 480), to: header)
    camera = own ?? Self.usual(header)
    remarks =
      lists.remarks + self.poses.remarks(at: frames.map(\.seconds), within: Self.nearest, name: trajectoryName ?? "")
      + (own == nil ? [ScanDiagnostic(.noteNoIntrinsics)] : [])
  }

  /// Returns the name of the trajectory file; nil if there is none.
  private static func trajectoryName(in tree: any FileTree) -> String? {
    tree.has("groundtruth.txt")
      ? "groundtruth.txt" : tree.names.first { $0.hasSuffix(".gt.freiburg") && !$0.contains("/") }
  }

  /// Returns the sensor that ``TUMWriter`` named; nil for recordings of other programs.
  private static func sensor(of tree: any FileTree) throws(ScanError) -> ScanSensor? {
    guard tree.has("depth.txt") else { return nil }
    let line = try tree.text("depth.txt").split(separator: "\n").first { $0.hasPrefix(TUMWriter.sensorPrefix) }
    return line.flatMap { ScanSensor(rawValue: String($0.dropFirst(TUMWriter.sensorPrefix.count))) }
  }

  /// Returns the intrinsics; nil if the recording does not include them.
  private static func camera(of tree: any FileTree) throws(ScanError) -> PinholeIntrinsics? {
    let name = "calibration.txt"
    guard tree.has(name) else { return nil }
    let row = try NumberListParser.table(try tree.text(name), file: name).first?.map(Float.init) ?? []
    // The remaining values are lens distortions, which are small in a map.
    let camera = row.count >= 4 ? PinholeIntrinsics(fx: row[0], fy: row[1], cx: row[2], cy: row[3]) : nil
    guard let camera, camera.isPlausible else {
      throw ScanError(.damaged, "calibration.txt does not begin with a camera's fx, fy, cx and cy in pixels")
    }
    return camera
  }

  /// Returns the intrinsics of single frames, by time in microseconds.
  private static func cameras(of tree: any FileTree) throws(ScanError) -> [Int64: PinholeIntrinsics] {
    let name = TUMWriter.camerasName
    guard tree.has(name) else { return [:] }
    var cameras: [Int64: PinholeIntrinsics] = [:]
    for row in try NumberListParser.table(try tree.text(name), file: name) {
      let camera =
        row.count == 5
        ? PinholeIntrinsics(fx: Float(row[1]), fy: Float(row[2]), cx: Float(row[3]), cy: Float(row[4])) : nil
      guard let camera, camera.isPlausible, let time = microseconds(row[0]) else {
        throw ScanError(.damaged, "\(name): a row is not a time and a camera's fx, fy, cx and cy in pixels")
      }
      cameras[time] = camera
    }
    return cameras
  }

  private static func microseconds(_ seconds: Double) -> Int64? { Int64(exactly: (seconds * 1e6).rounded()) }

  /// Returns default intrinsics with square pixels, whatever the aspect ratio: a map of 1280×720 is not a squeezed
  /// 640×480.
  private static func usual(_ header: ScanHeader) -> PinholeIntrinsics {
    let focus = 525 * Float(header.width) / 640
    return PinholeIntrinsics(
      fx: focus, fy: focus, cx: Float(header.width - 1) / 2, cy: Float(header.height - 1) / 2)
  }

  var count: Int { frames.count }
  var imageCount: Int { images.count }

  /// Maximum time difference, in seconds, to a pose that is not between two.
  private static let nearest = 0.02

  private func pose(at time: Double) -> CameraPose? { poses.pose(at: time, within: Self.nearest) }

  private func camera(at time: Double) -> PinholeIntrinsics {
    Self.microseconds(time).flatMap { cameras[$0] } ?? camera
  }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let entry = frames[number]
    let file = entry.file.split(separator: "/").last ?? ""
    return try DepthImageReader.frame(
      header, depth: try DepthImageReader.depth(tree, entry.file, header, frame: number),
      confidence: try DepthImageReader.confidence(tree, "confidence/\(file)", header, frame: number),
      pose: pose(at: entry.seconds), intrinsics: camera(at: entry.seconds), seconds: entry.seconds * unit,
      number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let entry = images[number]
    // The benchmark registers depth to color: one camera for both, though the images may be larger.
    let size = DepthImageReader.storedSize(of: try tree.bytes(entry.file, limit: ImportLimits.image))
    return try DepthImageReader.image(
      tree, entry.file, role: .colorFrame, pose: pose(at: entry.seconds),
      intrinsics: DoublePrecisionIntrinsics(camera(at: entry.seconds)).scaled(
        from: header.fineSize, to: size ?? header.fineSize
      ).rounded, seconds: entry.seconds * unit)
  }
}

/// Lists of the maps and images of a recording in the format of the TUM benchmark: `depth.txt` and `rgb.txt`, or one
/// list with both in each line (`associations.txt`), in either order.
struct TUMAssociationLists {
  typealias Entry = (seconds: Double, file: String)

  let depth: [Entry]
  let color: [Entry]
  /// Messages about listed files that do not exist: some recordings are excerpts, and some were published with gaps.
  let remarks: [ScanDiagnostic]

  private static let depthList = "depth.txt"
  private static let colorList = "rgb.txt"
  private static let jointLists = [
    "associations.txt", "association.txt", "associated.txt", "associate.txt", "associations_rgbd.txt",
  ]

  static func recognizes(_ tree: any FileTree) -> Bool {
    tree.has(depthList)
      || jointLists.contains(where: tree.has) && tree.names.contains { $0.hasPrefix("depth") && $0.contains("/") }
  }

  /// - Throws: ``ScanError`` `missing` if there is no map at all.
  init(_ tree: any FileTree) throws(ScanError) {
    var remarks: [ScanDiagnostic] = []
    func here(_ entries: [Entry], of list: String) -> [Entry] {
      let here = entries.filter { tree.has($0.file) }
      if here.count < entries.count {
        remarks.append(
          ScanDiagnostic(.noteFilesMissing, ["name": list, "count": "\(entries.count - here.count)"]))
      }
      return here
    }
    if tree.has(Self.depthList) {
      depth = here(try Self.entries(tree, Self.depthList).map { $0[0] }, of: Self.depthList)
      color =
        tree.has(Self.colorList)
        ? here(try Self.entries(tree, Self.colorList).map { $0[0] }, of: Self.colorList) : []
    } else {
      let list = Self.jointLists.first(where: tree.has) ?? Self.jointLists[0]
      let pairs = try Self.entries(tree, list)
      // Some lists have the image first, others the map.
      let side = pairs.first?.firstIndex { $0.file.contains("depth") } ?? 0
      depth = here(pairs.compactMap { $0.indices.contains(side) ? $0[side] : nil }, of: list)
      color = here(pairs.compactMap { $0.indices.contains(1 - side) ? $0[1 - side] : nil }, of: list)
    }
    guard !depth.isEmpty else {
      throw ScanError(.missing, "\(tree.name): none of the listed depth maps exists")
    }
    self.remarks = remarks
  }

  /// Returns one or two pairs of time and file per line.
  private static func entries(_ tree: any FileTree, _ list: String) throws(ScanError) -> [[Entry]] {
    var entries: [[Entry]] = []
    var lines = LineReader(try tree.text(list), file: list)
    while let line = try lines.next() {
      let parts = line.split { $0 == " " || $0 == "\t" || $0 == "," }
      guard let first = parts.first, !first.hasPrefix("#") else { continue }
      let entry = stride(from: 0, to: parts.count - 1, by: 2).compactMap { place -> Entry? in
        guard let seconds = Double(parts[place]), seconds.isFinite else { return nil }
        let file = parts[place + 1]
        return (seconds, String(file.hasPrefix("./") ? file.dropFirst(2) : file))
      }
      guard [2, 4].contains(parts.count), entry.count == parts.count / 2 else {
        throw ScanError(.damaged, "\(list): “\(line.prefix(60))” is not a time and a file")
      }
      entries.append(entry)
    }
    return entries
  }
}
