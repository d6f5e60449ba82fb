internal import MienDepth
internal import MienModel

/// A folder of Stray Scanner: `depth/000000.png` in millimetres, `confidence/000000.png`, `odometry.csv`,
/// `camera_matrix.csv`.
///
/// `odometry.csv` is `timestamp, frame, x, y, z, qx, qy, qz, qw` and, in newer recordings, `fx, fy, cx, cy`; poses lead
/// from camera to world with OpenCV's camera axes. Intrinsics belong to the 1920×1440 picture. The film is not read.
struct StrayScanner: ScanSource {
  let header: ScanHeader
  let remarks: [ScanRemark]
  private let tree: any FileTree
  private let frames: [Row]
  private let camera: PinholeIntrinsics

  private struct Row {
    let name: String
    let seconds: Double
    let pose: CameraPose?
    let camera: PinholeIntrinsics?
  }
  private static let picture = (width: 1920.0, height: 1440.0)

  static func recognises(_ tree: any FileTree) -> Bool { tree.has("odometry.csv") && tree.has("camera_matrix.csv") }

  init(_ tree: any FileTree) throws(ScanError) {
    self.tree = tree
    let matrix = try Numbers.table(try tree.text("camera_matrix.csv"), file: "camera_matrix.csv")
    guard matrix.count == 3, matrix.allSatisfy({ $0.count == 3 }) else {
      throw ScanError(.damaged, "camera_matrix.csv is not a matrix of 3×3 numbers")
    }
    camera = PinholeIntrinsics(
      fx: Float(matrix[0][0]), fy: Float(matrix[1][1]), cx: Float(matrix[0][2]), cy: Float(matrix[1][2]))
    guard camera.isPlausible else {
      throw ScanError(.refused, "camera_matrix.csv: the intrinsics are zero, negative or not finite")
    }
    var rows: [Int: (number: Int, values: [Double])] = [:]
    for (number, values) in try Numbers.table(try tree.text("odometry.csv"), file: "odometry.csv").enumerated() {
      guard values.count >= 9, let frame = Int(exactly: values[1]) else {
        throw ScanError(.damaged, "odometry.csv: row \(number + 1) has not nine numbers", frame: number)
      }
      rows[frame] = (number, values)
    }
    var frames: [Row] = []
    var unposed = 0
    for path in tree.names(in: "depth/", ending: ".png") {
      let name = String(path.dropFirst(6).dropLast(4))
      guard let index = Int(name) else { continue }
      guard let values = rows[index]?.values else {
        unposed += 1
        continue
      }
      let (rotation, place) = (values[5..<9].map(Float.init), values[2..<5].map(Float.init))
      let pose = try DepthFiles.pose(frame: frames.count, "odometry.csv") { () throws(PoseFault) in
        try CameraPose(
          quaternion: [rotation[0], rotation[1], rotation[2], rotation[3]], position: [place[0], place[1], place[2]])
      }
      let own =
        values.count >= 13
        ? PinholeIntrinsics(
          fx: Float(values[9]), fy: Float(values[10]), cx: Float(values[11]), cy: Float(values[12])) : nil
      frames.append(Row(name: name, seconds: values[0], pose: pose.turnedAboutX, camera: own))
    }
    self.frames = frames
    guard let first = frames.first else { throw ScanError(.missing, "no depth map has its row in odometry.csv") }
    header = try DepthFiles.header(
      tree, "depth/\(first.name).png", sensor: .lidar, micrometresPerStep: 1000, world: .yUp, clock: .boot)
    var remarks = unposed == 0 ? [] : [ScanRemark(.noteMapsWithoutRow, ["count": "\(unposed)"])]
    if tree.has("rgb.mp4") { remarks.append(ScanRemark(.noteFilmNotRead, ["name": "rgb.mp4"])) }
    self.remarks = remarks
  }

  var count: Int { frames.count }
  var pictureCount: Int { 0 }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let row = frames[number]
    return try DepthFiles.frame(
      header, depth: try DepthFiles.depth(tree, "depth/\(row.name).png", header, frame: number),
      confidence: try DepthFiles.confidence(tree, "confidence/\(row.name).png", header, frame: number), pose: row.pose,
      intrinsics: (row.camera ?? camera).scaled(from: Self.picture, to: header), seconds: row.seconds, number: number)
  }

  func picture(at number: Int) throws(ScanError) -> ScanPicture { throw ScanError(.missing, "there are no pictures") }
}
