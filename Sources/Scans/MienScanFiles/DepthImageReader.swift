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
        .refused, "\(name) is \(map.width)×\(map.height), the first map is \(header.width)×\(header.height)",
        frame: frame)
    }
    return map.samples
  }

  /// Returns the header of a scan whose maps all have the size of the first one.
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

  /// Reads confidence levels from an 8-bit grayscale PNG; nil if there is no such file.
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

  /// Creates a frame, or throws an error that describes what is invalid.
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

/// Converts floating-point depth in meters to integer steps of a given unit.
enum DepthQuantizer {
  /// Converts a map of little-endian 32-bit or 16-bit floats to steps, rounded to the nearest, halves up.
  ///
  /// NaN, zero, negative values, and values beyond 65 535 steps count as no measurement: 0.
  ///
  /// - Parameter mayBeEmpty: `true` if the floats are known to be meters: a covered sensor yields only NaN.
  /// - Throws: ``ScanError`` `refused` if more than nine tenths of the map are NaN or negative, which means that it is
  ///   not depth in meters.
  static func steps(
    _ bytes: ArraySlice<UInt8>, half: Bool, micrometersPerStep: Int, mayBeEmpty: Bool = false, frame: Int
  ) throws(ScanError) -> [UInt16] {
    let stepsPerMetre = 1_000_000 / Float(micrometersPerStep)
    let size = half ? 2 : 4
    var steps: [UInt16] = []
    steps.reserveCapacity(bytes.count / size)
    var wrong = 0
    for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: size) {
      let low = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8
      let meters =
        half
        ? float(ofHalf: UInt16(low))
        : Float(bitPattern: low | UInt32(bytes[place + 2]) << 16 | UInt32(bytes[place + 3]) << 24)
      let value = (meters * stepsPerMetre + 0.5).rounded(.down)
      if !(meters >= 0), !(mayBeEmpty && meters.isNaN) { wrong += 1 }
      steps.append(value >= 1 && value <= 65535 ? UInt16(value) : 0)
    }
    guard wrong * 10 <= steps.count * 9 else {
      throw ScanError(.refused, "the map is not depth in metres: its floats are no numbers or negative", frame: frame)
    }
    return steps
  }

  /// Returns the value of a 16-bit float.
  static func float(ofHalf bits: UInt16) -> Float {
    let (exponent, fraction) = (Int(bits >> 10 & 31), UInt32(bits & 1023))
    let size: Float =
      exponent == 31
      ? (fraction == 0 ? .infinity : .nan)
      : exponent == 0
        ? Float(fraction) / 16_777_216
        : Float(sign: .plus, exponent: exponent - 15, significand: 1 + Float(fraction) / 1024)
    return bits & 0x8000 == 0 ? size : -size
  }
}
