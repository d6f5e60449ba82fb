internal import MienCodecs
internal import MienCore
internal import MienReconstruction
internal import MienScanFormat

/// Reads maps stored identically by several formats, and assembles frames with descriptive errors.
enum DepthImageReader {
  /// Reads a 16-bit grayscale PNG or a NumPy array of the expected size.
  static func depth(
    _ tree: any FileTree, _ name: String, _ header: ScanHeader, frame: Int
  ) throws(ScanError) -> [UInt16] {
    let map = try gray16(tree, name, frame: frame)
    guard map.width == header.width, map.height == header.height else {
      throw ScanError(
        .refused, "\(name) is \(map.width)×\(map.height), the other maps are \(header.width)×\(header.height)",
        frame: frame)
    }
    return map.samples
  }

  /// Returns the header of a scan. The first maps decide its size by majority, so that one damaged map does not; a map
  /// of another size is an error of its frame.
  ///
  /// - Parameter maps: names of the maps, in order.
  static func header(
    _ tree: any FileTree, _ maps: [String], sensor: ScanSensor, micrometersPerStep: Int, world: WorldAlignment,
    clock: ScanClock
  ) throws(ScanError) -> ScanHeader {
    let (width, height) = try size(of: maps) { name, frame throws(ScanError) in
      let map = try gray16(tree, name, frame: frame)
      return (map.width, map.height)
    }
    guard
      let header = ScanHeader(
        device: "", sensor: sensor, width: width, height: height, micrometersPerStep: micrometersPerStep,
        world: world, clock: clock)
    else { throw ScanError(.tooMuch, "the maps are \(width)×\(height)", frame: 0) }
    return header
  }

  /// Returns the size that two of the first maps have, or the first readable one's if no two agree.
  ///
  /// - Parameter read: reads the size of a map; also receives its index.
  static func size<Map>(
    of maps: [Map], _ read: (Map, Int) throws(ScanError) -> (width: Int, height: Int)
  ) throws(ScanError) -> (width: Int, height: Int) {
    var sizes: [(width: Int, height: Int)] = []
    var failure: ScanError?
    for (index, map) in maps.prefix(mostTries).enumerated() {
      do throws(ScanError) {
        let size = try read(map, index)
        if sizes.contains(where: { $0 == size }) { return size }
        sizes.append(size)
      } catch {
        failure = failure ?? error
      }
    }
    guard let first = sizes.first else { throw failure ?? ScanError(.missing, "there is no depth map") }
    return first
  }

  /// Returns the result of reading the first map that can be read.
  static func first<Map, Value>(
    of maps: [Map], _ read: (Map, Int) throws(ScanError) -> Value
  ) throws(ScanError) -> Value {
    var failure: ScanError?
    for (index, map) in maps.prefix(mostTries).enumerated() {
      do throws(ScanError) { return try read(map, index) } catch { failure = failure ?? error }
    }
    throw failure ?? ScanError(.missing, "there is no depth map")
  }

  /// Maximum number of maps that are tried.
  private static let mostTries = 16

  static func gray16(_ tree: any FileTree, _ name: String, frame: Int) throws(ScanError) -> Gray16Image {
    let bytes = try tree.bytes(name, limit: ImportLimits.map)
    if name.hasSuffix(".npy") { return try NPYReader.read(bytes, name, frame: frame) }
    do throws(ImageCodecError) {
      return try PNGDecoder(limits: ImageLimits(pixels: ScanHeader.largestArea)).decodeGray16(bytes)
    } catch {
      throw ScanError(.damaged, "\(name): \(error)", frame: frame)
    }
  }

  /// Reads confidence levels from an 8-bit grayscale PNG; nil if there is no such file.
  ///
  /// - Parameter level: converts a sample to a level, 0…2.
  static func confidence(
    _ tree: any FileTree, _ name: String, _ header: ScanHeader, frame: Int, _ level: (UInt8) -> UInt8 = { $0 }
  ) throws(ScanError) -> [UInt8]? {
    guard tree.has(name) else { return nil }
    let bytes = try tree.bytes(name, limit: ImportLimits.map)
    do throws(ImageCodecError) {
      let map = try PNGDecoder(limits: ImageLimits(pixels: ScanHeader.largestArea)).decodeGray8(bytes)
      let levels = map.samples.map(level)
      if map.width == header.width, map.height == header.height, levels.allSatisfy({ $0 <= 2 }) { return levels }
    } catch {
      throw ScanError(.refused, "\(name): \(error)", frame: frame)
    }
    throw ScanError(
      .refused, "\(name) is not a map of confidence levels 0 to 2 with the size of the depth map", frame: frame)
  }

  /// Returns the samples of an OpenEXR image.
  static func floats(
    ofEXR bytes: [UInt8], _ name: String, frame: Int
  ) throws(ScanError) -> (width: Int, height: Int, samples: [Float]) {
    do throws(ImageCodecError) {
      return try EXRDecoder(limits: ImageLimits(pixels: ScanHeader.largestArea)).decodeChannel(bytes)
    } catch {
      throw ScanError(.damaged, "\(name): \(error)", frame: frame)
    }
  }

  /// Creates a frame, or throws an error that describes what is invalid.
  static func frame(
    _ header: ScanHeader, depth: [UInt16], confidence: [UInt8]?, pose: CameraPose?, intrinsics: PinholeIntrinsics,
    seconds: Double, number: Int
  ) throws(ScanError) -> ScanFrame {
    guard let at = MonotonicInstant(seconds: seconds) else {
      throw ScanError(.refused, "the time is not a number or is out of range", frame: number)
    }
    guard intrinsics.isPlausible else {
      throw ScanError(.refused, "the intrinsics are zero, negative or not finite", frame: number)
    }
    guard
      let frame = ScanFrame(
        width: header.width, height: header.height, depth: depth, confidence: confidence, pose: pose,
        intrinsics: intrinsics, at: at)
    else { throw ScanError(.refused, "the map's size or its confidence levels are invalid", frame: number) }
    return frame
  }

  /// Creates a pose, or throws an error that describes why it is invalid.
  static func pose(
    frame: Int, _ file: String, _ make: () throws(PoseError) -> CameraPose
  ) throws(ScanError) -> CameraPose {
    do throws(PoseError) { return try make() } catch {
      throw ScanError(.refused, "\(file): \(error)", frame: frame)
    }
  }

  /// Creates a pose from a quaternion (x, y, z, w) and a position; returns nil for the NaN or zero quaternions that
  /// devices write after losing their position.
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

  /// Maximum number of images read from a scan.
  static let mostImages = 1000

  /// Returns at most ``mostImages`` of a recording's images, evenly distributed.
  static func spread<Picture>(_ images: [Picture]) -> [Picture] {
    let step = max(1, (images.count + mostImages - 1) / mostImages)
    return stride(from: 0, to: images.count, by: step).map { images[$0] }
  }

  /// Returns the diagnostics for frames without a pose.
  static func remarks(unposed count: Int) -> [ScanDiagnostic] {
    count == 0 ? [] : [ScanDiagnostic(.notePosesMissing, ["count": "\(count)"])]
  }

  /// Reads a color image; its intrinsics are in its own pixels.
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

extension DepthImageReader {
  /// Returns the size in pixels of a JPEG or PNG as stored; nil for other files.
  static func storedSize(of bytes: [UInt8]) -> (width: Double, height: Double)? {
    if let size = ImageFormat.storedSize(ofJPEG: bytes) { return (Double(size.width), Double(size.height)) }
    guard ImageFormat.sniff(bytes) == .png, bytes.count >= 24 else { return nil }
    func side(_ place: Int) -> Double { Double(bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }) }
    let (width, height) = (side(16), side(20))
    return width >= 1 && height >= 1 ? (width, height) : nil
  }
}
