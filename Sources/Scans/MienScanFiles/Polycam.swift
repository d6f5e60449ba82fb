internal import Foundation
internal import MienCodecs
internal import MienCore
internal import MienReconstruction
internal import MienScanFormat

/// Reads the raw data that Polycam exports in developer mode: `keyframes/` with `depth/T.png` in millimeters,
/// `confidence/T.png`, `cameras/T.json`, `images/T.jpg`, and the results of its pose optimization in
/// `corrected_cameras/` and `corrected_images/`. T is the time in microseconds.
///
/// A camera has `fx`, `fy`, `cx`, `cy` in pixels of an image of `width`×`height`, and the rows of its camera-to-world
/// matrix as `t_00`…`t_23` in ARKit's axes. Corrected poses are in a world of their own: if there are any, a frame
/// without one has no pose.
struct Polycam: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  private let tree: any FileTree
  private let prefix: String
  /// Times of the frames, as in the file names.
  private let names: [String]
  private let images: [String]
  private let isCorrected: Bool

  private struct Camera: Decodable {
    let fx: Double
    let fy: Double
    let cx: Double
    let cy: Double
    let width: Double
    let height: Double
    let pose: [Float]

    private struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      func number(_ name: String) throws -> Double { try values.decode(Double.self, forKey: Key(stringValue: name)) }
      (fx, fy) = (try number("fx"), try number("fy"))
      (cx, cy) = (try number("cx"), try number("cy"))
      (width, height) = (try number("width"), try number("height"))
      var pose: [Float] = []
      for row in 0..<3 { for column in 0..<4 { pose.append(Float(try number("t_\(row)\(column)"))) } }
      self.pose = pose + [0, 0, 0, 1]
    }
  }

  /// Returns the path of the folder with the keyframes; nil if there is none.
  private static func prefix(in tree: any FileTree) -> String? {
    ["keyframes/", ""].first { prefix in
      tree.names.contains { $0.hasPrefix(prefix + "depth/") && $0.hasSuffix(".png") }
        && tree.names.contains { ($0.hasPrefix(prefix + "cameras/") || $0.hasPrefix(prefix + corrected)) && isJSON($0) }
    }
  }

  private static let corrected = "corrected_cameras/"

  private static func isJSON(_ name: String) -> Bool { name.hasSuffix(".json") }

  static func recognizes(_ tree: any FileTree) -> Bool { prefix(in: tree) != nil }

  init(_ tree: any FileTree, micrometersPerStep: Int? = nil) throws(ScanError) {
    self.tree = tree
    let prefix = Self.prefix(in: tree) ?? ""
    self.prefix = prefix
    let isCorrected = tree.names.contains { $0.hasPrefix(prefix + Self.corrected) && Self.isJSON($0) }
    self.isCorrected = isCorrected
    let maps = Self.times(tree.names(in: prefix + "depth/", ending: ".png"))
    names = maps.filter { Self.cameraFile(tree, prefix, $0) != nil }
    guard !names.isEmpty else { throw ScanError(.missing, "no depth map has a camera file") }
    let folder = isCorrected ? "corrected_images/" : "images/"
    images = DepthImageReader.spread(
      Self.times(tree.names(in: prefix + folder, ending: ".jpg")).filter {
        tree.has(prefix + (isCorrected ? Self.corrected : "cameras/") + $0 + ".json")
      })
    header = try DepthImageReader.header(
      tree, names.map { "\(prefix)depth/\($0).png" }, sensor: .lidar, micrometersPerStep: micrometersPerStep ?? 1000,
      world: .yUp, clock: .boot)
    var remarks: [ScanDiagnostic] = []
    if maps.count > names.count {
      remarks.append(
        ScanDiagnostic(
          .noteFilesMissing, ["name": prefix + "depth", "count": "\(maps.count - names.count)"],
          detail: "cameras of depth maps"))
    }
    let unposed = isCorrected ? names.count { !tree.has(prefix + Self.corrected + $0 + ".json") } : 0
    if unposed > 0 { remarks.append(ScanDiagnostic(.noteMapsWithoutPose, ["count": "\(unposed)"])) }
    self.remarks = remarks
  }

  /// Returns the names of files that are times, without folders and extensions, sorted by time.
  private static func times(_ files: [String]) -> [String] {
    let names = files.compactMap { file in
      file.split(separator: "/").last.map { String($0.prefix { $0 != "." }) }
    }
    let timed = names.compactMap { name in Int64(name).map { (time: $0, name: name) } }
    return timed.sorted { $0.time < $1.time }.map(\.name)
  }

  /// Returns the file with the camera of a frame: the corrected one if there is one.
  private static func cameraFile(_ tree: any FileTree, _ prefix: String, _ name: String) -> String? {
    [corrected, "cameras/"].map { prefix + $0 + name + ".json" }.first(where: tree.has)
  }

  var count: Int { names.count }
  var imageCount: Int { images.count }

  private func camera(
    _ name: String, number: Int
  ) throws(ScanError) -> (camera: DoublePrecisionIntrinsics, size: (width: Double, height: Double), pose: CameraPose?) {
    let file = Self.cameraFile(tree, prefix, name) ?? ""
    let bytes = try tree.bytes(file, limit: ImportLimits.line)
    guard let read = try? JSONDecoder().decode(Camera.self, from: Data(bytes)) else {
      throw ScanError(.damaged, "\(file) is not a valid Polycam camera file", frame: number)
    }
    guard (1...20_000).contains(read.width), (1...20_000).contains(read.height) else {
      throw ScanError(.refused, "\(file): width and height are not a valid size", frame: number)
    }
    let isInAnotherWorld = isCorrected && !file.hasPrefix(prefix + Self.corrected)
    let isLost = read.pose.prefix(12).allSatisfy { $0 == 0 }
    let pose =
      isInAnotherWorld || isLost
      ? nil
      : try DepthImageReader.pose(frame: number, file) { () throws(PoseError) in try CameraPose(rowMajor: read.pose) }
    return (
      DoublePrecisionIntrinsics(fx: read.fx, fy: read.fy, cx: read.cx, cy: read.cy), (read.width, read.height), pose
    )
  }

  private static func seconds(_ name: String) -> Double { (Double(name) ?? 0) / 1e6 }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let name = names[number]
    let (camera, size, pose) = try camera(name, number: number)
    return try DepthImageReader.frame(
      header, depth: try DepthImageReader.depth(tree, "\(prefix)depth/\(name).png", header, frame: number),
      confidence: try confidence(name, number: number), pose: pose,
      intrinsics: camera.scaled(from: size, to: header.fineSize).rounded, seconds: Self.seconds(name), number: number)
  }

  /// Reads confidence, which the app spreads over 0…255: 0 low, 127 medium, 255 high.
  private func confidence(_ name: String, number: Int) throws(ScanError) -> [UInt8]? {
    try DepthImageReader.confidence(tree, "\(prefix)confidence/\(name).png", header, frame: number) { value in
      switch value {
      case 0: 0
      case 255: 2
      default: 1
      }
    }
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let name = images[number]
    let (camera, size, pose) = try camera(name, number: number)
    let file = prefix + (isCorrected ? "corrected_images/" : "images/") + name + ".jpg"
    let stored = DepthImageReader.storedSize(of: try tree.bytes(file, limit: ImportLimits.image)) ?? size
    return try DepthImageReader.image(
      tree, file, role: .colorFrame, pose: pose, intrinsics: camera.scaled(from: size, to: stored).rounded,
      seconds: Self.seconds(name))
  }
}
