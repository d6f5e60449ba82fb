internal import Foundation
internal import MienDepth
internal import MienModel

/// A folder of the 3D Scanner App ("all data"): `frame_00000.json`, `depth_00000.png` in millimetres, `conf_00000.png`,
/// some `frame_00000.jpg`, and `info.json`.
///
/// `cameraPoseARFrame` is row by row from camera to world in ARKit's axes; `intrinsics` belong to the colour picture,
/// whose size follows from the projection matrix (m₀₀ = 2 fx / width, m₁₁ = 2 fy / height).
struct Scanner3DApp: ScanSource {
  let header: ScanHeader
  let remarks: [ScanRemark]
  private let tree: any FileTree
  /// Numbers of the frames that have depth, as in the files' names.
  private let frames: [String]
  private let pictures: [String]

  private struct FrameFile: Decodable {
    let cameraPoseARFrame: [Float]
    let intrinsics: [Double]
    let projectionMatrix: [Double]?
    let time: Double
  }

  static func recognises(_ tree: any FileTree) -> Bool {
    tree.names.contains { $0.hasPrefix("depth_") && $0.hasSuffix(".png") }
      && tree.names.contains { $0.hasPrefix("frame_") && $0.hasSuffix(".json") }
  }

  init(_ tree: any FileTree) throws(ScanError) {
    self.tree = tree
    frames = tree.names(in: "depth_", ending: ".png").map { String($0.dropFirst(6).dropLast(4)) }
      .filter { tree.has("frame_\($0).json") }
    pictures = tree.names(in: "frame_", ending: ".jpg").map { String($0.dropFirst(6).dropLast(4)) }
      .filter { tree.has("frame_\($0).json") }
    let depths = tree.names(in: "depth_", ending: ".png").count
    guard let first = frames.first else { throw ScanError(.missing, "no depth map has its frame_….json") }
    remarks =
      depths == frames.count
      ? [] : [ScanRemark(.noteMapsWithoutDescription, ["count": "\(depths - frames.count)"])]
    header = try DepthFiles.header(
      tree, "depth_\(first).png", sensor: .lidar, micrometresPerStep: 1000, world: .yUp, clock: .boot)
  }

  var count: Int { frames.count }
  var pictureCount: Int { pictures.count }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let name = frames[number]
    let (pose, intrinsics, size, seconds) = try description(name, frame: number)
    return try DepthFiles.frame(
      header, depth: try DepthFiles.depth(tree, "depth_\(name).png", header, frame: number),
      confidence: try DepthFiles.confidence(tree, "conf_\(name).png", header, frame: number), pose: pose,
      intrinsics: intrinsics.scaled(from: size, to: header.fineSize).rounded, seconds: seconds, number: number)
  }

  func picture(at number: Int) throws(ScanError) -> ScanPicture {
    let name = pictures[number]
    let (pose, intrinsics, _, seconds) = try description(name, frame: number)
    return try DepthFiles.picture(
      tree, "frame_\(name).jpg", role: .colourFrame, pose: pose, intrinsics: intrinsics.rounded, seconds: seconds)
  }

  private func description(
    _ name: String, frame: Int
  ) throws(ScanError) -> (CameraPose, FineIntrinsics, size: (width: Double, height: Double), seconds: Double) {
    let file = "frame_\(name).json"
    let bytes = try tree.bytes(file, limit: 1 << 20)
    guard let read = try? JSONDecoder().decode(FrameFile.self, from: Data(bytes)), read.intrinsics.count == 9 else {
      throw ScanError(.damaged, "\(file) is not as the app writes it", frame: frame)
    }
    let pose = try DepthFiles.pose(frame: frame, file) { () throws(PoseFault) in
      try CameraPose(rowMajor: read.cameraPoseARFrame)
    }
    let intrinsics = FineIntrinsics(
      fx: read.intrinsics[0], fy: read.intrinsics[4], cx: read.intrinsics[2], cy: read.intrinsics[5])
    guard intrinsics.rounded.isPlausible else {
      throw ScanError(.refused, "\(file): the intrinsics are zero, negative or not finite", frame: frame)
    }
    var size = (width: 1920.0, height: 1440.0)
    if let matrix = read.projectionMatrix, matrix.count == 16, matrix[0] > 0, matrix[5] > 0 {
      size = FineIntrinsics.picture((2 * intrinsics.fx / matrix[0], 2 * intrinsics.fy / matrix[5]))
    }
    guard size.width >= 1, size.width <= 20_000, size.height >= 1, size.height <= 20_000 else {
      throw ScanError(.refused, "\(file): the intrinsics and the projection do not agree", frame: frame)
    }
    return (pose, intrinsics, size, read.time)
  }
}
