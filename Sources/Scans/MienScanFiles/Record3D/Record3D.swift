internal import Foundation
internal import MienScanFormat
internal import MienReconstruction
internal import MienCore

/// Reads a Record3D file (`.r3d`, a ZIP archive) or the folder it unpacks to: `metadata` (JSON; ``Record3DMetadata``),
/// `rgbd/N.depth`, `rgbd/N.conf`, `rgbd/N.jpg`.
///
/// Depth is in meters as 32-bit floats, optionally compressed with LZFSE, and is converted to integer steps,
/// millimeters by default. LiDAR recordings have confidence maps, those of the front camera do not.
struct Record3D: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  private let tree: any FileTree
  private let metadata: Record3DMetadata
  /// Numbers of the frames, as in the file names.
  private let names: [Int]
  /// Indices of the frames with a color image; third-party recordings may have none.
  private let images: [Int]

  static func recognizes(_ tree: any FileTree) -> Bool {
    Record3DMetadata.name(in: tree) != nil
      && tree.names.contains { $0.hasPrefix("rgbd/") && $0.hasSuffix(".depth") }
  }

  init(_ tree: any FileTree, micrometersPerStep: Int? = nil) throws(ScanError) {
    self.tree = tree
    let names = tree.names(in: "rgbd/", ending: ".depth").compactMap { Int($0.dropFirst(5).dropLast(6)) }
      .filter { $0 >= 0 }.sorted()
    self.names = names
    guard !names.isEmpty else { throw ScanError(.missing, "rgbd contains no numbered frames") }
    metadata = try Record3DMetadata(tree, names: names)
    images = DepthImageReader.spread(names.indices.filter { tree.has("rgbd/\(names[$0]).jpg") })
    let (width, height) = try Self.size(metadata, tree, names)
    let hasConfidence = names.contains { tree.has("rgbd/\($0).conf") }
    guard
      let header = ScanHeader(
        device: "", sensor: Record3DMetadata.sensor(samples: width * height, hasConfidence: hasConfidence),
        width: width, height: height, micrometersPerStep: micrometersPerStep ?? 1000,
        world: metadata.isLeveled ? .yUp : .unleveled, clock: .start)
    else { throw ScanError(.tooMuch, "the depth maps are \(width)×\(height)") }
    self.header = header
    remarks = metadata.remarks
  }

  /// Returns the map size in the metadata, which one of the first maps must have, or the common size with as many samples
  /// as the first readable map, in portrait if the color image is. A map of another size is an error of its frame.
  private static func size(
    _ metadata: Record3DMetadata, _ tree: any FileTree, _ names: [Int]
  ) throws(ScanError) -> (Int, Int) {
    if let size = metadata.mapSize {
      // At least one of the first maps must have that size.
      let count = 4 * min(size.width * size.height, ScanHeader.largestArea)
      _ = try DepthImageReader.first(of: names) { name, frame throws(ScanError) in
        try unpacked(tree, "rgbd/\(name).depth", count: count, frame: frame)
      }
      return size
    }
    let samples = try DepthImageReader.first(of: names) { name, frame throws(ScanError) in
      try self.samples(tree, "rgbd/\(name).depth", frame: frame)
    }
    guard let usual = [(256, 192), (640, 480), (960, 720)].first(where: { $0.0 * $0.1 == samples }) else {
      throw ScanError(.refused, "the metadata does not state the maps' size, and no known size has \(samples) samples")
    }
    return metadata.isUpright ? (usual.1, usual.0) : usual
  }

  /// Returns the number of samples of a map of unknown size.
  private static func samples(_ tree: any FileTree, _ name: String, frame: Int) throws(ScanError) -> Int {
    let most = 4 * ScanHeader.largestArea
    let bytes = try tree.bytes(name, limit: ImportLimits.map)
    guard bytes.starts(with: Array("bvx".utf8)) else { return bytes.count / 4 }
    do throws(LZFSE.FormatError) { return try LZFSE.unpack(bytes, limit: most).count / 4 } catch {
      throw ScanError(.damaged, "\(name): \(error)", frame: frame)
    }
  }

  /// Returns the bytes of a map, decompressing no more than its size, whatever the file contains.
  private static func unpacked(
    _ tree: any FileTree, _ name: String, count: Int, frame: Int
  ) throws(ScanError) -> [UInt8] {
    // Incompressible data grows by an eighth at most, plus a block header.
    let bytes = try tree.bytes(name, limit: min(ImportLimits.map, count + count / 8 + 4096))
    if bytes.count == count { return bytes }
    do throws(LZFSE.FormatError) {
      let unpacked = try LZFSE.unpack(bytes, limit: count)
      if unpacked.count == count { return unpacked }
    } catch {
      throw ScanError(.damaged, "\(name): \(error)", frame: frame)
    }
    throw ScanError(.refused, "\(name) does not have the size of the other maps", frame: frame)
  }

  var count: Int { names.count }
  var imageCount: Int { images.count }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let name = "rgbd/\(names[number])"
    let meters = try Self.unpacked(tree, name + ".depth", count: header.area * 4, frame: number)
    var confidence: [UInt8]?
    if tree.has(name + ".conf") {
      confidence = try Self.unpacked(tree, name + ".conf", count: header.area, frame: number)
    }
    return try DepthImageReader.frame(
      header,
      depth: try DepthQuantizer.steps(
        meters[...], half: false, micrometersPerStep: header.micrometersPerStep, mayBeEmpty: true, frame: number),
      confidence: confidence, pose: try metadata.pose(of: number, number: number),
      intrinsics: try metadata.camera(of: number, in: header), seconds: metadata.seconds(of: number), number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let frame = images[number]
    return try DepthImageReader.image(
      tree, "rgbd/\(names[frame]).jpg", role: .colorFrame, pose: try metadata.pose(of: frame, number: number),
      intrinsics: try metadata.camera(of: frame, number: number).rounded, seconds: metadata.seconds(of: frame))
  }
}
