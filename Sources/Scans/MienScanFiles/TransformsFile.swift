internal import Foundation
internal import MienCodecs
internal import MienCore
internal import MienReconstruction
internal import MienScanFormat

/// Reads `transforms.json`, the format of nerfstudio and instant-ngp, with depth maps. Reconstructions of photos by COLMAP
/// and other programs are often exchanged in this format.
///
/// A frame names its image (`file_path`), its depth map (`depth_file_path`) and its camera-to-world matrix
/// (`transform_matrix`; the camera looks along −z, y up). Intrinsics `fl_x`, `fl_y`, `cx`, `cy` apply to an image of
/// `w`×`h` and are per frame or for all. Depth is in units of `depth_unit_scale_factor` meters, by default millimeters,
/// in 16-bit PNGs, NumPy arrays or OpenEXR images. The world's z points up. Positions are divided by `applied_scale`.
/// Lens distortion (`k1`, `k2`, `k3`, `p1`, `p2`, as in OpenCV) is removed from the depth maps.
///
/// NeRFCapture and instant-ngp use `depth_path` and `integer_depth_scale` (meters per unit of the PNGs) instead, and do
/// not state the up direction.
struct TransformsFile: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  private let tree: any FileTree
  private let file: File
  /// Frames with a depth map, and its name.
  private let frames: [(frame: Frame, depth: String)]
  private let images: [(index: Int, frame: Frame, file: String)]
  /// Meters per unit of the depth maps, if stated.
  private let unit: Double?

  struct Intrinsics: Decodable {
    let fl_x: Double?
    let fl_y: Double?
    let cx: Double?
    let cy: Double?
    let w: Double?
    let h: Double?
    let camera_angle_x: Double?
    let camera_model: String?
    let k1: Double?
    let k2: Double?
    let k3: Double?
    let p1: Double?
    let p2: Double?
  }

  struct Frame: Decodable {
    let file_path: String?
    let depth_file_path: String?
    let transform_matrix: [[Float]]
    let own: Intrinsics

    private enum Key: CodingKey { case file_path, depth_file_path, depth_path, transform_matrix }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      file_path = try values.decodeIfPresent(String.self, forKey: .file_path)
      depth_file_path =
        try values.decodeIfPresent(String.self, forKey: .depth_file_path)
        ?? values.decodeIfPresent(String.self, forKey: .depth_path)
      transform_matrix = try values.decode([[Float]].self, forKey: .transform_matrix)
      own = try Intrinsics(from: decoder)
    }

    /// Name by which the frames are sorted.
    var name: String { depth_file_path ?? file_path ?? "" }
  }

  private struct File: Decodable {
    let frames: [Frame]
    let depth_unit_scale_factor: Double?
    let integer_depth_scale: Double?
    let applied_scale: Double?
    let shared: Intrinsics

    private enum Key: CodingKey { case frames, depth_unit_scale_factor, integer_depth_scale, applied_scale }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      frames = try values.decode([Frame].self, forKey: .frames)
      depth_unit_scale_factor = try values.decodeIfPresent(Double.self, forKey: .depth_unit_scale_factor)
      integer_depth_scale = try values.decodeIfPresent(Double.self, forKey: .integer_depth_scale)
      applied_scale = try values.decodeIfPresent(Double.self, forKey: .applied_scale)
      shared = try Intrinsics(from: decoder)
    }
  }

  private static let name = "transforms.json"
  /// Assumed frame rate, because the format has no timestamps.
  private static let usualRate = 30.0

  static func recognizes(_ tree: any FileTree) -> Bool { tree.has(name) }

  init(_ tree: any FileTree, micrometersPerStep: Int? = nil) throws(ScanError) {
    self.tree = tree
    let bytes = try tree.bytes(Self.name, limit: ImportLimits.description)
    guard let file = try? JSONDecoder().decode(File.self, from: Data(bytes)) else {
      throw ScanError(.damaged, "\(Self.name) is not a valid nerfstudio file")
    }
    guard file.applied_scale.map({ $0 > 0 && $0.isFinite }) != false else {
      throw ScanError(.refused, "\(Self.name): applied_scale must be a positive number")
    }
    self.file = file
    unit =
      micrometersPerStep.map { Double($0) / 1e6 } ?? file.depth_unit_scale_factor
      ?? file.integer_depth_scale
    guard unit.map({ (1e-6...1).contains($0) }) != false else {
      throw ScanError(.refused, "\(Self.name): the unit of the depth maps is out of range")
    }
    // Sorts the frames by name, because the list may be in another order.
    let sorted = file.frames.sorted { DepthImageReader.order($0.name) < DepthImageReader.order($1.name) }
    let named = sorted.filter { $0.depth_file_path != nil }
    guard !named.isEmpty else {
      throw ScanError(
        .missing,
        "\(Self.name) names no depth maps (depth_file_path), and a surface cannot be reconstructed from photos alone")
    }
    frames = named.compactMap { frame in
      frame.depth_file_path.flatMap { Self.found($0, in: tree, extensions: []) }.map { (frame, $0) }
    }
    guard !frames.isEmpty else {
      throw ScanError(.missing, "none of the depth maps named in \(Self.name) exists")
    }
    images = DepthImageReader.spread(
      sorted.enumerated().compactMap { index, frame in
        frame.file_path.flatMap { Self.found($0, in: tree, extensions: ["png", "jpg", "jpeg"]) }
          .map { (index, frame, $0) }
      })
    let size = try DepthImageReader.size(of: frames.map(\.depth)) { name, frame throws(ScanError) in
      let map = try DepthImageReader.map(tree, name, unit: nil, steps: 1000, frame: frame)
      return (map.width, map.height)
    }
    guard
      let header = ScanHeader(
        device: "", sensor: size.width * size.height == 256 * 192 ? .lidar : .depthCamera, width: size.width,
        height: size.height, micrometersPerStep: DepthImageReader.step(ofUnit: unit ?? DepthImageReader.usualUnit),
        world: file.integer_depth_scale == nil ? .zUp : .unleveled,
        clock: .start)
    else { throw ScanError(.tooMuch, "the depth maps are \(size.width)×\(size.height)") }
    self.header = header
    var remarks = [ScanDiagnostic(.noteNoTimes)]
    if frames.count < named.count {
      remarks.append(
        ScanDiagnostic(.noteFilesMissing, ["name": Self.name, "count": "\(named.count - frames.count)"]))
    }
    if frames.contains(where: { !Self.distortion(of: $0.frame, file.shared).isNone }) {
      remarks.append(ScanDiagnostic(.noteLensDistortion))
    }
    self.remarks = remarks
  }

  private static func distortion(of frame: Frame, _ shared: Intrinsics) -> LensDistortion {
    func term(_ key: KeyPath<Intrinsics, Double?>) -> Double { frame.own[keyPath: key] ?? shared[keyPath: key] ?? 0 }
    return LensDistortion(k1: term(\.k1), k2: term(\.k2), k3: term(\.k3), p1: term(\.p1), p2: term(\.p2))
  }

  /// Returns the file of a path in the list, which may lack an extension; nil if there is no such file.
  private static func found(_ path: String, in tree: any FileTree, extensions: [String]) -> String? {
    let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    let windows = String(plain.map { $0 == "\\" ? "/" : $0 })
    return ([windows] + extensions.map { "\(windows).\($0)" }).first(where: tree.has)
  }

  var count: Int { frames.count }
  var imageCount: Int { images.count }

  private func camera(
    of frame: Frame, number: Int
  ) throws(ScanError) -> (camera: DoublePrecisionIntrinsics, size: (width: Double, height: Double)) {
    let (own, shared) = (frame.own, file.shared)
    let model = own.camera_model ?? shared.camera_model ?? ""
    guard !["FISHEYE", "EQUIRECTANGULAR", "SPHERICAL"].contains(where: model.uppercased().contains) else {
      throw ScanError(
        .unsupported, "\(Self.name): the camera model \(model.prefix(40)) is not supported", frame: number)
    }
    guard let width = own.w ?? shared.w ?? ((own.cx ?? shared.cx).map { 2 * $0 }),
      let height = own.h ?? shared.h ?? ((own.cy ?? shared.cy).map { 2 * $0 }), (1...20_000).contains(width),
      (1...20_000).contains(height)
    else { throw ScanError(.refused, "\(Self.name) has no image size (w, h)", frame: number) }
    let angle = own.camera_angle_x ?? shared.camera_angle_x
    guard let fx = own.fl_x ?? shared.fl_x ?? angle.map({ width / 2 / tan($0 / 2) }), fx.isFinite, fx > 0 else {
      throw ScanError(.refused, "\(Self.name) has no focal length (fl_x)", frame: number)
    }
    // The format's pixel centers are at halves, ours at whole numbers.
    let cx = (own.cx ?? shared.cx ?? width / 2) - 0.5
    let cy = (own.cy ?? shared.cy ?? height / 2) - 0.5
    return (DoublePrecisionIntrinsics(fx: fx, fy: own.fl_y ?? shared.fl_y ?? fx, cx: cx, cy: cy), (width, height))
  }

  private func pose(of frame: Frame, number: Int) throws(ScanError) -> CameraPose? {
    var matrix = frame.transform_matrix.flatMap { $0 }
    if matrix.count == 12 { matrix += [0, 0, 0, 1] }
    if matrix.count == 16, matrix.prefix(12).allSatisfy({ $0 == 0 }) { return nil }
    if matrix.count == 16, let scale = file.applied_scale {
      for row in 0..<3 { matrix[4 * row + 3] /= Float(scale) }
    }
    return try DepthImageReader.pose(frame: number, Self.name) { () throws(PoseError) in
      try CameraPose(rowMajor: matrix)
    }
  }

  private func seconds(_ index: Int) -> Double { Double(index) / Self.usualRate }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let (frame, name) = frames[number]
    let map = try DepthImageReader.map(tree, name, unit: unit, steps: header.micrometersPerStep, frame: number)
    guard map.width == header.width, map.height == header.height else {
      throw ScanError(
        .refused, "\(name) is \(map.width)×\(map.height), the other maps are \(header.width)×\(header.height)",
        frame: number)
    }
    let (camera, size) = try camera(of: frame, number: number)
    let own = camera.scaled(from: size, to: header.fineSize)
    let depth = Self.distortion(of: frame, file.shared)
      .removed(from: map.samples, width: map.width, height: map.height, camera: own)
    return try DepthImageReader.frame(
      header, depth: depth, confidence: nil, pose: try pose(of: frame, number: number), intrinsics: own.rounded,
      seconds: seconds(number), number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let (index, frame, name) = images[number]
    let (camera, size) = try camera(of: frame, number: number)
    let stored = DepthImageReader.storedSize(of: try tree.bytes(name, limit: ImportLimits.image)) ?? size
    return try DepthImageReader.image(
      tree, name, role: .colorFrame, pose: try pose(of: frame, number: number),
      intrinsics: camera.scaled(from: size, to: stored).rounded, seconds: seconds(index))
  }
}
