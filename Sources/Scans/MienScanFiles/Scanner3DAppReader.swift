internal import Foundation
internal import MienCodecs
internal import MienScanFormat
internal import MienReconstruction
internal import MienCore

/// Reads a folder of 3D Scanner App ("all data"): `frame_00000.json`, `depth_00000.png` in millimeters,
/// `conf_00000.png`, some `frame_00000.jpg`, and `info.json`.
///
/// `cameraPoseARFrame` is row-major from camera to world in ARKit's axes; `intrinsics` apply to the color image, whose
/// size follows from the projection matrix (m₀₀ = 2 fx / width, m₁₁ = 2 fy / height), or is that of the available
/// images.
struct Scanner3DAppReader: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  private let tree: any FileTree
  /// Numbers of the frames with depth, as in the file names.
  private let frames: [String]
  private let images: [String]
  /// Image size for descriptions without a projection matrix.
  private let imageSize: (width: Double, height: Double)

  private struct FrameFile: Decodable {
    let cameraPoseARFrame: [Float]
    let intrinsics: [Double]
    let projectionMatrix: [Double]?
    let time: Double?
  }

  /// Frame rate of the app's camera, used if there are no timestamps.
  private static let usualRate = 60.0

  static func recognizes(_ tree: any FileTree) -> Bool {
    tree.names.contains { $0.hasPrefix("depth_") && $0.hasSuffix(".png") }
      && tree.names.contains { $0.hasPrefix("frame_") && $0.hasSuffix(".json") }
  }

  init(_ tree: any FileTree, micrometersPerStep: Int? = nil) throws(ScanError) {
    self.tree = tree
    frames = tree.names(in: "depth_", ending: ".png").map { String($0.dropFirst(6).dropLast(4)) }
      .filter { tree.has("frame_\($0).json") }
    let described = tree.names(in: "frame_", ending: ".jpg").map { String($0.dropFirst(6).dropLast(4)) }
      .filter { tree.has("frame_\($0).json") }
    images = DepthImageReader.spread(described)
    var imageSize = (width: 1920.0, height: 1440.0)
    if let name = described.first,
      let size = ImageFormat.storedSize(ofJPEG: try tree.bytes("frame_\(name).jpg", limit: ImportLimits.image))
    {
      imageSize = (Double(size.width), Double(size.height))
    }
    self.imageSize = imageSize
    let depths = tree.names(in: "depth_", ending: ".png").count
    guard !frames.isEmpty else { throw ScanError(.missing, "no depth map has its frame_….json") }
    var remarks: [ScanDiagnostic] = []
    if depths > frames.count {
      remarks.append(ScanDiagnostic(.noteMapsWithoutDescription, ["count": "\(depths - frames.count)"]))
    }
    // Errors are reported when the frame is read.
    if let read = try? DepthImageReader.first(
      of: frames, { name, frame throws(ScanError) in try Self.file(tree, name, frame: frame) }), read.time == nil
    {
      remarks.append(ScanDiagnostic(.noteNoTimes))
    }
    self.remarks = remarks
    header = try DepthImageReader.header(
      tree, frames.map { "depth_\($0).png" }, sensor: .lidar, micrometersPerStep: micrometersPerStep ?? 1000,
      world: .yUp, clock: .boot)
  }

  var count: Int { frames.count }
  var imageCount: Int { images.count }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let name = frames[number]
    let (pose, intrinsics, size, seconds) = try description(name, frame: number)
    return try DepthImageReader.frame(
      header, depth: try DepthImageReader.depth(tree, "depth_\(name).png", header, frame: number),
      confidence: try DepthImageReader.confidence(tree, "conf_\(name).png", header, frame: number), pose: pose,
      intrinsics: intrinsics.scaled(from: size, to: header.fineSize).rounded, seconds: seconds, number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let name = images[number]
    let (pose, intrinsics, _, seconds) = try description(name, frame: number)
    return try DepthImageReader.image(
      tree, "frame_\(name).jpg", role: .colorFrame, pose: pose, intrinsics: intrinsics.rounded, seconds: seconds)
  }

  private static func file(_ tree: any FileTree, _ name: String, frame: Int) throws(ScanError) -> FrameFile {
    let file = "frame_\(name).json"
    let bytes = try tree.bytes(file, limit: 1 << 20)
    guard let read = try? JSONDecoder().decode(FrameFile.self, from: Data(bytes)), read.intrinsics.count == 9 else {
      throw ScanError(.damaged, "\(file) is not a valid frame description", frame: frame)
    }
    return read
  }

  private func description(
    _ name: String, frame: Int
  ) throws(ScanError) -> (
    CameraPose?, DoublePrecisionIntrinsics, size: (width: Double, height: Double), seconds: Double
  ) {
    let file = "frame_\(name).json"
    let read = try Self.file(tree, name, frame: frame)
    // The app writes zeros for a frame in which the device had lost its position.
    let isLost = read.cameraPoseARFrame.allSatisfy { $0 == 0 }
    let pose =
      isLost
      ? nil
      : try DepthImageReader.pose(frame: frame, file) { () throws(PoseError) in
        try CameraPose(rowMajor: read.cameraPoseARFrame)
      }
    let intrinsics = DoublePrecisionIntrinsics(
      fx: read.intrinsics[0], fy: read.intrinsics[4], cx: read.intrinsics[2], cy: read.intrinsics[5])
    guard intrinsics.rounded.isPlausible else {
      throw ScanError(.refused, "\(file): the intrinsics are zero, negative or not finite", frame: frame)
    }
    var size = imageSize
    if let matrix = read.projectionMatrix, matrix.count == 16, matrix[0] > 0, matrix[5] > 0 {
      size = DoublePrecisionIntrinsics.image((2 * intrinsics.fx / matrix[0], 2 * intrinsics.fy / matrix[5]))
    }
    guard size.width >= 1, size.width <= 20_000, size.height >= 1, size.height <= 20_000 else {
      throw ScanError(.refused, "\(file): the intrinsics and the projection do not agree", frame: frame)
    }
    return (pose, intrinsics, size, read.time ?? Double(name).map { $0 / Self.usualRate } ?? 0)
  }
}
