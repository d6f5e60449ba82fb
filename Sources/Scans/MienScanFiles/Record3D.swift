internal import Foundation
internal import MienScanFormat
internal import MienReconstruction
internal import MienCore

/// Reads a Record3D file (`.r3d`, a ZIP archive) or the folder it unpacks to: `metadata` (JSON), `rgbd/N.depth`,
/// `rgbd/N.conf`, `rgbd/N.jpg`.
///
/// Depth is in meters as 32-bit floats, optionally compressed with LZFSE, and is converted to integer millimeters.
/// Poses are `qx qy qz qw tx ty tz` from camera to world in ARKit's axes; intrinsics apply to the color image of
/// `w`×`h`, as column-major `K` or as `perFrameIntrinsicCoeffs` with fx, fy, cx, cy. LiDAR recordings have confidence
/// maps, those of the front camera do not.
struct Record3D: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  private let tree: any FileTree
  private let metadata: Metadata
  /// Poses; nil if there are none, or if all are those of a camera that never moved.
  private let poses: [[Float]]?
  /// Numbers of the frames, as in the file names.
  private let frames: [Int]
  /// Numbers of the frames with a color image; third-party recordings may have none.
  private let images: [Int]

  private struct Metadata: Decodable {
    let w: Double?
    let h: Double?
    let dw: Int?
    let dh: Int?
    let fps: Double?
    let K: [Double]?
    let poses: [[Float]]?
    let perFrameIntrinsicCoeffs: [[Double]]?
    let frameTimestamps: [Double]?
  }

  static func recognizes(_ tree: any FileTree) -> Bool {
    description(in: tree) != nil && tree.names.contains { $0.hasPrefix("rgbd/") && $0.hasSuffix(".depth") }
  }

  /// Returns `true` for the app's export to other programs, in which depth is a floating-point image.
  static func isUnpackedToEXR(_ tree: any FileTree) -> Bool {
    description(in: tree) != nil && tree.names.contains { $0.hasSuffix(".exr") }
  }

  /// Returns the name of the file that describes a recording; some unpacking tools add an extension.
  private static func description(in tree: any FileTree) -> String? {
    ["metadata", "metadata.json"].first(where: tree.has)
  }

  init(_ tree: any FileTree) throws(ScanError) {
    self.tree = tree
    let name = Self.description(in: tree) ?? "metadata"
    let bytes = try tree.bytes(name, limit: ImportLimits.description)
    guard let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(bytes)) else {
      throw ScanError(.damaged, "\(name) is not as Record3D writes it")
    }
    self.metadata = metadata
    let isStill = metadata.poses.map { $0.count > 1 && $0.allSatisfy(Self.isOrigin) } ?? false
    poses = isStill ? nil : metadata.poses
    frames = tree.names(in: "rgbd/", ending: ".depth").compactMap { Int($0.dropFirst(5).dropLast(6)) }.sorted()
    images = DepthImageReader.spread(frames.filter { tree.has("rgbd/\($0).jpg") })
    guard let first = frames.first else { throw ScanError(.missing, "rgbd holds no frames with numbers") }
    let announced = metadata.dw.flatMap { width in metadata.dh.flatMap { Self.area(width, $0) } }
    let samples =
      try Self.unpacked(tree, "rgbd/\(first).depth", announced: announced, expected: nil, frame: 0).count / 4
    let (width, height) = try Self.size(metadata, samples: samples)
    let hasConfidence = tree.has("rgbd/\(first).conf")
    guard
      let header = ScanHeader(
        device: "", sensor: hasConfidence ? .lidar : .trueDepth, width: width, height: height,
        micrometersPerStep: 1000, world: Self.isLevelled(poses) ? .yUp : .unlevelled, clock: .start)
    else { throw ScanError(.tooMuch, "the depth maps are \(width)×\(height)") }
    self.header = header
    var remarks: [ScanDiagnostic] = []
    if let poses, poses.count != frames.count {
      remarks.append(ScanDiagnostic(.notePosesForMaps, ["poses": "\(poses.count)", "maps": "\(frames.count)"]))
    }
    if let poses {
      // Poses missing at the end are already reported above.
      remarks += DepthImageReader.remarks(
        unposed: frames.count { poses.indices.contains($0) && Self.isLost(poses[$0]) })
    } else {
      remarks.append(ScanDiagnostic(.noteNoPoses))
    }
    if metadata.frameTimestamps == nil { remarks.append(ScanDiagnostic(.noteNoTimes)) }
    self.remarks = remarks
  }

  /// Returns `true` for a pose at the origin without rotation. Recordings of the front camera have only such poses,
  /// because it is not tracked.
  private static func isOrigin(_ pose: [Float]) -> Bool {
    pose.count == 7 && pose[3].magnitude > 0.9999 && (pose[..<3] + pose[4...]).allSatisfy { $0.magnitude < 1e-4 }
  }

  /// Returns `true` for the pose of a frame in which the device had lost its position.
  private static func isLost(_ pose: [Float]) -> Bool { pose.count == 7 && pose[..<4].allSatisfy { $0 == 0 } }

  /// Returns `true` if the world is level. In older versions of the app, poses are relative to the first frame,
  /// whatever its orientation.
  private static func isLevelled(_ poses: [[Float]]?) -> Bool {
    guard let first = poses?.first else { return false }
    return !isOrigin(first)
  }

  /// Returns the map size in the metadata, or the common size with that number of samples, in portrait if the color
  /// image is.
  private static func size(_ metadata: Metadata, samples: Int) throws(ScanError) -> (Int, Int) {
    if let width = metadata.dw, let height = metadata.dh {
      guard width > 0, height > 0, width <= 4096, height <= 4096, width * height == samples else {
        throw ScanError(
          .refused, "the metadata says maps of \(width)×\(height), the first one has \(samples) samples", frame: 0)
      }
      return (width, height)
    }
    guard let usual = [(256, 192), (640, 480), (960, 720)].first(where: { $0.0 * $0.1 == samples }) else {
      throw ScanError(.refused, "the metadata does not say the maps' size, and \(samples) samples are not usual")
    }
    let isUpright = metadata.w.flatMap { width in metadata.h.map { $0 > width } } == true
    return isUpright ? (usual.1, usual.0) : usual
  }

  private static func area(_ width: Int, _ height: Int) -> Int? {
    (1...4096).contains(width) && (1...4096).contains(height) ? width * height : nil
  }

  /// Returns the bytes of a map, decompressing no more than the known or declared map size, whatever the file contains.
  ///
  /// - Parameter announced: number of samples declared in the metadata, before a map has been read.
  private static func unpacked(
    _ tree: any FileTree, _ name: String, announced: Int? = nil, expected: Int?, frame: Int
  ) throws(ScanError) -> [UInt8] {
    let most = expected ?? 4 * min(announced ?? ScanHeader.largestArea, ScanHeader.largestArea)
    // Incompressible data grows by an eighth at most, plus a block header.
    let bytes = try tree.bytes(name, limit: min(ImportLimits.map, most + most / 8 + 4096))
    if bytes.count == expected { return bytes }
    do throws(LZFSE.FormatError) {
      let unpacked = try LZFSE.unpack(bytes, limit: most)
      if expected == nil || expected == unpacked.count { return unpacked }
    } catch {
      throw ScanError(.damaged, "\(name): \(error)", frame: frame)
    }
    throw ScanError(.refused, "\(name) is not of the first map's size", frame: frame)
  }

  var count: Int { frames.count }
  var imageCount: Int { images.count }

  /// Returns the intrinsics in pixels of the color image.
  ///
  /// - Parameters:
  ///   - named: number of the frame in the file names, here and below.
  ///   - number: index of the frame or image, for error messages.
  private func camera(_ named: Int, number: Int) throws(ScanError) -> DoublePrecisionIntrinsics {
    if let own = metadata.perFrameIntrinsicCoeffs, own.indices.contains(named), own[named].count == 4 {
      let v = own[named]
      return DoublePrecisionIntrinsics(fx: v[0], fy: v[1], cx: v[2], cy: v[3])
    }
    guard let k = metadata.K, k.count == 9 else {
      throw ScanError(.refused, "the metadata has no intrinsics", frame: number)
    }
    return DoublePrecisionIntrinsics(fx: k[0], fy: k[4], cx: k[6], cy: k[7])
  }

  private func pose(_ named: Int, number: Int) throws(ScanError) -> CameraPose? {
    guard let poses, poses.indices.contains(named) else { return nil }
    let values = poses[named].map(Double.init)
    guard values.count == 7 else { throw ScanError(.damaged, "a pose has not seven numbers", frame: number) }
    return try DepthImageReader.pose(
      quaternion: Array(values[..<4]), place: Array(values[4...]), frame: number, "metadata")
  }

  private func seconds(_ named: Int) -> Double {
    if let times = metadata.frameTimestamps, times.indices.contains(named) { return times[named] }
    let rate = metadata.fps.flatMap { $0 > 0 ? $0 : nil } ?? 30
    return Double(named) / rate
  }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let named = frames[number]
    let name = "rgbd/\(named)"
    let meters = try Self.unpacked(tree, name + ".depth", expected: header.area * 4, frame: number)
    var confidence: [UInt8]?
    if tree.has(name + ".conf") {
      confidence = try Self.unpacked(tree, name + ".conf", expected: header.area, frame: number)
    }
    let image = (metadata.w ?? Double(header.width), metadata.h ?? Double(header.height))
    guard image.0 >= 1, image.1 >= 1 else { throw ScanError(.refused, "the metadata's w and h are not a size") }
    return try DepthImageReader.frame(
      header,
      depth: try DepthQuantizer.steps(
        meters[...], half: false, micrometersPerStep: header.micrometersPerStep, mayBeEmpty: true, frame: number),
      confidence: confidence, pose: try pose(named, number: number),
      intrinsics: try camera(named, number: number).scaled(from: image, to: header.fineSize).rounded,
      seconds: seconds(named), number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let named = images[number]
    return try DepthImageReader.image(
      tree, "rgbd/\(named).jpg", role: .colorFrame, pose: try pose(named, number: number),
      intrinsics: try camera(named, number: number).rounded, seconds: seconds(named))
  }
}
