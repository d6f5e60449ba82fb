internal import Foundation
internal import MienCore
internal import MienReconstruction
internal import MienScanFormat

/// Metadata of a Record3D recording (`metadata` or `metadata.json`), with its lists assigned to the frames.
///
/// Poses are `qx qy qz qw tx ty tz` from camera to world in ARKit's axes; intrinsics apply to the color image of
/// `w`×`h`, as column-major `K` or as `perFrameIntrinsicCoeffs` with fx, fy, cx, cy. A list with as many items as there
/// are frames is in the frames' order, whatever their names; another list has its items at the numbers in the names.
struct Record3DMetadata {
  /// Size in pixels of the images, to which the intrinsics apply; nil if not stated.
  let imageSize: (width: Double, height: Double)?
  /// Stated size of the depth maps; nil if not stated.
  let mapSize: (width: Int, height: Int)?
  /// `true` if the images are taller than wide.
  let isUpright: Bool
  private let file: File
  /// Poses; nil if there are none, or if all are those of a camera that never moved.
  private let poses: [[Float]]?
  /// Numbers in the names of the frames, in order.
  private let names: [Int]

  private struct File: Decodable {
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

  /// Returns the name of the file that describes a recording; some unpacking tools add an extension.
  static func name(in tree: any FileTree) -> String? { ["metadata", "metadata.json"].first(where: tree.has) }

  /// - Parameter names: numbers in the names of the frames, in order.
  init(_ tree: any FileTree, names: [Int]) throws(ScanError) {
    let name = Self.name(in: tree) ?? "metadata"
    let bytes = try tree.bytes(name, limit: ImportLimits.description)
    guard let file = try? JSONDecoder().decode(File.self, from: Data(bytes)) else {
      throw ScanError(.damaged, "\(name) is not valid Record3D metadata")
    }
    self.file = file
    self.names = names
    let isStill = file.poses.map { $0.count > 1 && $0.allSatisfy(Self.isOrigin) } ?? false
    poses = isStill ? nil : file.poses
    imageSize = file.w.flatMap { width in file.h.map { (width, $0) } }
    isUpright = imageSize.map { $0.height > $0.width } ?? false
    mapSize = file.dw.flatMap { width in file.dh.map { (width, $0) } }
    if let mapSize, !(1...4096).contains(mapSize.width) || !(1...4096).contains(mapSize.height) {
      throw ScanError(.refused, "\(name): dw and dh are not a valid depth map size")
    }
  }

  /// Returns the item of a list for a frame.
  private func item<Item>(_ list: [Item]?, of frame: Int) -> Item? {
    guard let list else { return nil }
    let place = list.count == names.count ? frame : names[frame] - firstName(of: list.count)
    return list.indices.contains(place) ? list[place] : nil
  }

  /// Number in the name of the first item of a list: 1 if only that lets the last name have an item, otherwise 0.
  private func firstName(of count: Int) -> Int { (names.first ?? 0) >= 1 && names.last == count ? 1 : 0 }

  /// `true` if the world is level. In older versions of the app, poses are relative to the first frame, whatever its
  /// orientation.
  var isLeveled: Bool { poses?.first.map { !Self.isOrigin($0) } ?? false }

  /// Messages about missing poses and times.
  var remarks: [ScanDiagnostic] {
    var remarks: [ScanDiagnostic] = []
    if let poses {
      if poses.count != names.count {
        remarks.append(ScanDiagnostic(.notePosesForMaps, ["poses": "\(poses.count)", "maps": "\(names.count)"]))
      }
      let own = names.indices.map { item(poses, of: $0) }
      remarks += DepthImageReader.remarks(unposed: own.count { $0.map(Self.isLost) ?? false })
      let without = own.count { $0 == nil }
      if without > 0 { remarks.append(ScanDiagnostic(.noteMapsWithoutPose, ["count": "\(without)"])) }
    } else {
      remarks.append(ScanDiagnostic(.noteNoPoses))
    }
    if file.frameTimestamps == nil { remarks.append(ScanDiagnostic(.noteNoTimes)) }
    return remarks
  }

  /// Returns the intrinsics of a frame in pixels of the color image.
  ///
  /// - Parameter number: index of the frame or image, for error messages.
  func camera(of frame: Int, number: Int) throws(ScanError) -> DoublePrecisionIntrinsics {
    if let own = item(file.perFrameIntrinsicCoeffs, of: frame), own.count == 4 {
      return DoublePrecisionIntrinsics(fx: own[0], fy: own[1], cx: own[2], cy: own[3])
    }
    guard let k = file.K, k.count == 9 else {
      throw ScanError(.refused, "the metadata has no intrinsics", frame: number)
    }
    return DoublePrecisionIntrinsics(fx: k[0], fy: k[4], cx: k[6], cy: k[7])
  }

  /// Returns the intrinsics of a frame in pixels of its depth map.
  func camera(of frame: Int, in header: ScanHeader) throws(ScanError) -> PinholeIntrinsics {
    let image = imageSize ?? header.fineSize
    guard image.width >= 1, image.height >= 1 else {
      throw ScanError(.refused, "the metadata's w and h are not a valid size", frame: frame)
    }
    return try camera(of: frame, number: frame).scaled(from: image, to: header.fineSize).rounded
  }

  /// Returns the pose of a frame; nil if there is none.
  func pose(of frame: Int, number: Int) throws(ScanError) -> CameraPose? {
    guard let values = item(poses, of: frame)?.map(Double.init) else { return nil }
    guard values.count == 7 else { throw ScanError(.damaged, "a pose does not have seven numbers", frame: number) }
    return try DepthImageReader.pose(
      quaternion: Array(values[..<4]), place: Array(values[4...]), frame: number, "metadata")
  }

  func seconds(of frame: Int) -> Double {
    if let seconds = item(file.frameTimestamps, of: frame) { return seconds }
    return Double(names[frame]) / (file.fps.flatMap { $0 > 0 ? $0 : nil } ?? 30)
  }

  /// Returns `true` for a pose at the origin without rotation. Recordings of the front camera have only such poses,
  /// because it is not tracked.
  private static func isOrigin(_ pose: [Float]) -> Bool {
    pose.count == 7 && pose[3].magnitude > 0.9999 && (pose[..<3] + pose[4...]).allSatisfy { $0.magnitude < 1e-4 }
  }

  /// Returns `true` for the pose of a frame in which the device had lost its position.
  private static func isLost(_ pose: [Float]) -> Bool { pose.count == 7 && pose[..<4].allSatisfy { $0 == 0 } }

  /// Returns the sensor that has maps of that size: those of the LiDAR have 256×192 samples, or confidence levels.
  static func sensor(samples: Int, hasConfidence: Bool) -> ScanSensor {
    hasConfidence || samples == 256 * 192 ? .lidar : .trueDepth
  }
}
