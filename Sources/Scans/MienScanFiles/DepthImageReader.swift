internal import MienCodecs
internal import MienDepth
internal import MienCore

/// Reads the maps that several formats store alike, and puts frames together with words when something does not fit.
enum DepthImageReader {
  /// A gray PNG of 16 bits, or an array of NumPy's, of the expected size.
  static func depth(
    _ tree: any FileTree, _ name: String, _ header: ScanHeader, frame: Int
  ) throws(ScanError) -> [UInt16] {
    let map = try gray16(tree, name, frame: frame)
    guard map.width == header.width, map.height == header.height else {
      throw ScanError(
        .refused, "\(name) is \(map.width)×\(map.height), the first map is \(header.width)×\(header.height)",
        frame: frame)
    }
    return map.samples
  }

  /// The header of a scan whose maps are all of the first one's size.
  static func header(
    _ tree: any FileTree, _ first: String, sensor: ScanSensor, micrometersPerStep: Int, world: WorldAlignment,
    clock: ScanClock
  ) throws(ScanError) -> ScanHeader {
    let map = try gray16(tree, first, frame: 0)
    guard
      let header = ScanHeader(
        device: "", sensor: sensor, width: map.width, height: map.height, micrometersPerStep: micrometersPerStep,
        world: world, clock: clock)
    else { throw ScanError(.tooMuch, "\(first) is \(map.width)×\(map.height)", frame: 0) }
    return header
  }

  private static func gray16(_ tree: any FileTree, _ name: String, frame: Int) throws(ScanError) -> Gray16Image {
    let bytes = try tree.bytes(name, limit: ImportLimits.map)
    if name.hasSuffix(".npy") { return try NPYReader.read(bytes, name, frame: frame) }
    do throws(ImageCodecError) {
      return try PNGDecoder(limits: ImageLimits(pixels: ScanHeader.largestArea)).decodeGray16(bytes)
    } catch {
      throw ScanError(.damaged, "\(name): \(error)", frame: frame)
    }
  }

  /// Levels of confidence, a gray PNG of 8 bits; nil when there is no such file.
  static func confidence(
    _ tree: any FileTree, _ name: String, _ header: ScanHeader, frame: Int
  ) throws(ScanError) -> [UInt8]? {
    guard tree.has(name) else { return nil }
    let bytes = try tree.bytes(name, limit: ImportLimits.map)
    do throws(ImageCodecError) {
      let map = try PNGDecoder(limits: ImageLimits(pixels: ScanHeader.largestArea)).decodeGray8(bytes)
      if map.width == header.width, map.height == header.height, map.samples.allSatisfy({ $0 <= 2 }) {
        return map.samples
      }
    } catch {
      throw ScanError(.refused, "\(name): \(error)", frame: frame)
    }
    throw ScanError(.refused, "\(name) is not a map of levels 0 to 2 of the depth's size", frame: frame)
  }

  /// A frame, or in words what is wrong with it.
  static func frame(
    _ header: ScanHeader, depth: [UInt16], confidence: [UInt8]?, pose: CameraPose?, intrinsics: PinholeIntrinsics,
    seconds: Double, number: Int
  ) throws(ScanError) -> ScanFrame {
    guard let at = MonotonicInstant(seconds: seconds) else {
      throw ScanError(.refused, "the time is not a number or out of range", frame: number)
    }
    guard intrinsics.isPlausible else {
      throw ScanError(.refused, "the intrinsics are zero, negative or not finite", frame: number)
    }
    guard
      let frame = ScanFrame(
        width: header.width, height: header.height, depth: depth, confidence: confidence, pose: pose,
        intrinsics: intrinsics, at: at)
    else { throw ScanError(.refused, "the map's size or its levels of confidence do not fit", frame: number) }
    return frame
  }

  /// A pose, or in words why it is none.
  static func pose(
    frame: Int, _ file: String, _ make: () throws(PoseError) -> CameraPose
  ) throws(ScanError) -> CameraPose {
    do throws(PoseError) { return try make() } catch {
      throw ScanError(.refused, "\(file): \(error)", frame: frame)
    }
  }

  /// A pose as a quaternion (x, y, z, w) and a place; nil where a device that had lost its place wrote no numbers, or no rotation at
  /// all.
  static func pose(
    quaternion: [Double], place: [Double], frame: Int, _ file: String
  ) throws(ScanError) -> CameraPose? {
    let (q, p) = (quaternion.map(Float.init), place.map(Float.init))
    guard q.count == 4, p.count == 3, !(q + p).contains(where: \.isNaN), q.contains(where: { $0 != 0 }) else {
      return nil
    }
    return try pose(frame: frame, file) { () throws(PoseError) in
      try CameraPose(quaternion: [q[0], q[1], q[2], q[3]], position: [p[0], p[1], p[2]])
    }
  }

  /// Most pictures of a scan that are read.
  static let mostImages = 1000

  /// As many of a recording's pictures as are read, spread over all of it.
  static func spread<Picture>(_ images: [Picture]) -> [Picture] {
    let step = max(1, (images.count + mostImages - 1) / mostImages)
    return stride(from: 0, to: images.count, by: step).map { images[$0] }
  }

  /// What there is to say of frames without a pose.
  static func remarks(unposed count: Int) -> [ScanDiagnostic] {
    count == 0 ? [] : [ScanDiagnostic(.notePosesMissing, ["count": "\(count)"])]
  }

  /// A colour picture beside the depth; its intrinsics in its own pixels.
  static func image(
    _ tree: any FileTree, _ name: String, role: ScanImage.Role, pose: CameraPose?, intrinsics: PinholeIntrinsics?,
    seconds: Double?
  ) throws(ScanError) -> ScanImage {
    let bytes = try tree.bytes(name, limit: ImportLimits.image)
    guard ImageFormat.sniff(bytes) != nil,
      let image = ScanImage(
        role: role, bytes: bytes, pose: pose, intrinsics: intrinsics,
        at: seconds.flatMap(MonotonicInstant.init(seconds:)))
    else { throw ScanError(.refused, "\(name) is not a JPEG or PNG") }
    return image
  }
}
