internal import MienCodecs
internal import MienCore
internal import MienReconstruction
internal import MienScanFormat

/// Reads a folder of Stray Scanner: `depth/000000.png` in millimeters (`.npy` in older ones), `confidence/000000.png`,
/// `odometry.csv`, `camera_matrix.csv`.
///
/// Poses are from camera to world with OpenCV's camera axes. Intrinsics apply to the video `rgb.mp4`, with 1920×1440
/// pixels unless they indicate another size (``VideoDimensions``). Images are the video's frames: those stored next to
/// the maps as `rgb/000000.jpg` or `.png`, or in the folder to which the video was extracted (``ScanVideo``).
struct StrayScanner: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  let video: ScanVideo?
  private let tree: any FileTree
  private let frames: [Frame]
  /// Source of the images, and their frames.
  private let imageTree: any FileTree
  private let images: [Frame]
  /// Size of the video, to which the intrinsics apply, and size of the images.
  private let size: VideoDimensions
  private let imageSize: VideoDimensions

  private struct Frame {
    let file: String
    let confidence: String
    let row: StrayOdometryTable.Row
    /// Intrinsics in pixels of the video.
    let camera: PinholeIntrinsics
  }

  static let matrix = "camera_matrix.csv"
  static let videoName = "rgb.mp4"

  static func recognizes(_ tree: any FileTree) -> Bool {
    // The matrix is written last, so a truncated recording has none.
    tree.has(StrayOdometryTable.file) && (tree.has(matrix) || tree.names.contains { $0.hasPrefix("depth/") })
  }

  /// - Parameter videoFrames: folder with frames of the video.
  init(
    _ tree: any FileTree, videoFrames: String? = nil, micrometersPerStep: Int? = nil
  ) throws(ScanError) {
    self.tree = tree
    let odometry = try StrayOdometryTable(try tree.text(StrayOdometryTable.file))
    let shared = try Self.matrix(of: tree)
    guard let camera = shared ?? odometry.rows.min(by: { $0.key < $1.key })?.value.camera else {
      throw ScanError(
        .missing,
        "\(Self.matrix) is missing, and \(StrayOdometryTable.file) has no intrinsics per frame as in newer recordings"
      )
    }
    let maps = tree.names(in: "depth/", ending: ".png")
    func frame(_ path: String, folder: String) -> Frame? {
      let name = path.dropFirst(folder.utf8.count).prefix { $0 != "." }
      guard let row = Int(name).flatMap({ odometry.rows[$0] }) else { return nil }
      return Frame(
        file: path, confidence: "confidence/\(name).png", row: row, camera: row.camera ?? camera)
    }
    let depths = maps.isEmpty ? tree.names(in: "depth/", ending: ".npy") : maps
    let numbered = depths.filter { Int($0.dropFirst(6).dropLast(4)) != nil }
    frames = numbered.compactMap { frame($0, folder: "depth/") }
    let unpacked = try videoFrames.map { path throws(ScanError) in try DirectoryTree(path) }
    if let unpacked {
      let numbers = odometry.rows.keys.sorted()
      imageTree = unpacked
      images = DepthImageReader.spread(unpacked.names).compactMap { name in
        guard let index = Int(name.prefix { $0 != "." }), numbers.indices.contains(index),
          let row = odometry.rows[numbers[index]]
        else { return nil }
        return Frame(file: name, confidence: "", row: row, camera: row.camera ?? camera)
      }
    } else {
      let colors = tree.names(in: "rgb/", ending: ".jpg") + tree.names(in: "rgb/", ending: ".png")
      imageTree = tree
      images = DepthImageReader.spread(colors.compactMap { frame($0, folder: "rgb/") })
    }
    guard !frames.isEmpty else { throw ScanError(.missing, "no depth map has a row in odometry.csv") }
    header = try DepthImageReader.header(
      tree, frames.map(\.file), sensor: .lidar, micrometersPerStep: micrometersPerStep ?? 1000, world: .yUp,
      clock: .boot)
    var remarks = odometry.remarks + DepthImageReader.remarks(unposed: frames.count { $0.row.pose == nil })
    if numbered.count > frames.count {
      remarks.append(ScanDiagnostic(.noteMapsWithoutRow, ["count": "\(numbered.count - frames.count)"]))
    }
    var shown: VideoDimensions?
    if let first = images.first,
      let stored = ImageFormat.storedSize(ofJPEG: try imageTree.bytes(first.file, limit: ImportLimits.image))
    {
      shown = VideoDimensions(width: Double(stored.width), height: Double(stored.height))
    }
    // Intrinsics do not apply to images that were downscaled afterwards.
    if let shown, shown.hasMiddle(of: camera) {
      size = shown
    } else {
      guard let (size, isGuess) = VideoDimensions.of(camera, isUpright: header.height > header.width) else {
        throw ScanError(.refused, "the principal point is not the center of any valid image size")
      }
      self.size = size
      if isGuess { remarks.append(ScanDiagnostic(.noteImageSize, ["size": size.words])) }
    }
    imageSize = shown ?? size
    if images.isEmpty, tree.has(Self.videoName) {
      remarks.append(ScanDiagnostic(.noteVideoNotRead, ["name": Self.videoName]))
      video = ScanVideo(tree, name: Self.videoName, frames: odometry.rows.count)
    } else {
      video = nil
    }
    self.remarks = remarks
  }

  /// Returns the intrinsics matrix; nil if the recording has none.
  private static func matrix(of tree: any FileTree) throws(ScanError) -> PinholeIntrinsics? {
    guard tree.has(matrix) else { return nil }
    let rows = try NumberListParser.table(try tree.text(matrix), file: matrix)
    guard rows.count == 3, rows.allSatisfy({ $0.count == 3 }) else {
      throw ScanError(.damaged, "\(matrix) is not a matrix of 3×3 numbers")
    }
    let camera = PinholeIntrinsics(
      fx: Float(rows[0][0]), fy: Float(rows[1][1]), cx: Float(rows[0][2]), cy: Float(rows[1][2]))
    guard camera.isPlausible else {
      throw ScanError(.refused, "\(matrix): the intrinsics are zero, negative or not finite")
    }
    return camera
  }

  var count: Int { frames.count }
  var imageCount: Int { images.count }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let frame = frames[number]
    return try DepthImageReader.frame(
      header, depth: try DepthImageReader.depth(tree, frame.file, header, frame: number),
      confidence: try DepthImageReader.confidence(tree, frame.confidence, header, frame: number), pose: frame.row.pose,
      intrinsics: frame.camera.scaled(from: (size.width, size.height), to: header), seconds: frame.row.seconds,
      number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let image = images[number]
    return try DepthImageReader.image(
      imageTree, image.file, role: .colorFrame, pose: image.row.pose,
      intrinsics: DoublePrecisionIntrinsics(image.camera).scaled(
        from: (size.width, size.height), to: (imageSize.width, imageSize.height)
      ).rounded,
      seconds: image.row.seconds)
  }
}

/// Parses the table `odometry.csv` of Stray Scanner: `timestamp, frame, x, y, z, qx, qy, qz, qw` and, in newer
/// recordings, `fx, fy, cx, cy`; before 2022 only `x, y, z, qx, qy, qz, qw`, with one row per frame.
struct StrayOdometryTable {
  struct Row {
    let seconds: Double
    let pose: CameraPose?
    /// Intrinsics in pixels of the video.
    let camera: PinholeIntrinsics?
  }

  static let file = "odometry.csv"
  /// Frame rate of the app's camera, used if there are no timestamps.
  private static let usualRate = 60.0

  /// Rows by frame number.
  let rows: [Int: Row]
  /// Messages about missing data, for people.
  let remarks: [ScanDiagnostic]

  init(_ text: String) throws(ScanError) {
    var (table, isCut) = try NumberListParser.growingTable(text, file: Self.file)
    let isOld = table.first?.count == 7
    // The app appends rows while recording; an abrupt end truncates the last one.
    if let last = table.last, table.count > 1, last.count < (isOld ? 7 : 9) {
      table.removeLast()
      isCut = true
    }
    let isEnded = text.utf8.last.map { $0 == 0x0A || $0 == 0x0D } ?? true
    var rows: [Int: Row] = [:]
    for (number, values) in table.enumerated() {
      do {
        let (frame, row) = try Self.row(values, number: number, isOld: isOld)
        rows[frame] = row
      } catch {
        // The last number of a truncated row may be incomplete.
        guard number == table.count - 1, number > 0, !isEnded, error.code == .refused else { throw error }
        isCut = true
      }
    }
    self.rows = rows
    remarks =
      (isOld ? [ScanDiagnostic(.noteNoTimes)] : [])
      + (isCut ? [ScanDiagnostic(.noteRowCutOff, ["name": Self.file])] : [])
  }

  private static func row(
    _ values: [Double], number: Int, isOld: Bool
  ) throws(ScanError) -> (frame: Int, Row) {
    let first = isOld ? 0 : 2
    guard values.count >= first + 7, values.prefix(first).allSatisfy(\.isFinite),
      let frame = isOld ? number : Int(exactly: values[1])
    else {
      throw ScanError(
        .damaged, "\(file): row \(number + 1) does not have \(isOld ? "seven" : "nine") numbers", frame: number)
    }
    let pose = try DepthImageReader.pose(
      quaternion: Array(values[first + 3..<first + 7]), place: Array(values[first..<first + 3]), frame: number, file)
    let camera =
      values.count >= 13
      ? PinholeIntrinsics(
        fx: Float(values[9]), fy: Float(values[10]), cx: Float(values[11]), cy: Float(values[12])) : nil
    let seconds = isOld ? Double(number) / usualRate : values[0]
    return (frame, Row(seconds: seconds, pose: pose?.turnedAboutX, camera: camera))
  }
}
