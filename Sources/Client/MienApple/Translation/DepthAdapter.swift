public import MienDepth
public import MienCore

/// A depth map as the sensors give it: distances in metres, row by row without padding.
public struct MetricDepthMap: Sendable {
  public let width: Int
  public let height: Int
  /// What is not a positive finite number is no measurement.
  public let meters: [Float]
  /// 0 low, 1 medium, 2 high; nil when the sensor does not say.
  public let confidence: [UInt8]?

  /// Refuses (nil) sizes that do not fit.
  public init?(width: Int, height: Int, meters: [Float], confidence: [UInt8]? = nil) {
    guard (1...4096).contains(width), (1...4096).contains(height), meters.count == width * height,
      confidence.map({ $0.count == meters.count }) != false
    else { return nil }
    self.width = width
    self.height = height
    self.meters = meters
    self.confidence = confidence
  }
}

/// Depth of Apple's sensors becomes frames of a scan.
public enum DepthAdapter {
  /// What a step is worth in scans of a LiDAR, whose noise is some millimetres.
  public static let lidarStep = 1000
  /// What a step is worth in maps of the front camera, which measures tenths of a millimetre up to 6.5 m.
  public static let trueDepthStep = 100

  /// Whole steps; 0 where nothing was measured or the distance does not fit.
  ///
  /// - Parameter step: in micrometres.
  public static func steps(_ meters: [Float], step: Int) -> [UInt16] {
    let perMetre = 1_000_000 / Float(max(1, step))
    return meters.map { distance in
      let steps = (distance * perMetre).rounded()
      return steps >= 1 && steps <= 65_535 ? UInt16(steps) : 0
    }
  }

  /// What principal points count from; Apple's frameworks differ by half a pixel.
  public enum PixelOrigin: Sendable {
    /// The middle of the top left pixel, as in ARKit: `ARCamera.h` says so, and ARKit's projection matrices agree.
    case middle
    /// The top left corner of the top left pixel, as in `AVCameraCalibrationData` by its documentation.
    case corner
  }

  /// The depth map's pinhole camera, from the one of the picture that belongs to it.
  ///
  /// Both show the same field of view, so that everything scales with the size, from the corner they have in common.
  ///
  /// - Parameters:
  ///   - columns: of Apple's 3×3 matrix: (fx, 0, 0), (0, fy, 0), (cx, cy, 1).
  ///   - origin: of the matrix's principal point; the result's is ``PinholeIntrinsics``' own.
  /// - Returns: nil for what no camera has.
  public static func intrinsics(
    _ columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>), from origin: PixelOrigin,
    image: (width: Double, height: Double), map: (width: Int, height: Int)
  ) -> PinholeIntrinsics? {
    guard image.width >= 1, image.height >= 1, image.width.isFinite, image.height.isFinite else { return nil }
    let (x, y) = (Double(map.width) / image.width, Double(map.height) / image.height)
    let first = origin == .middle ? 0.5 : Double.zero
    let intrinsics = PinholeIntrinsics(
      fx: Float(Double(columns.0.x) * x), fy: Float(Double(columns.1.y) * y),
      cx: Float((Double(columns.2.x) + first) * x - 0.5), cy: Float((Double(columns.2.y) + first) * y - 0.5))
    return intrinsics.isPlausible ? intrinsics : nil
  }

  /// The camera's pose; ARKit's axes are those of ``CameraPose``. nil while the device does not know where it is.
  public static func pose(_ cameraToWorld: TransformMatrix) -> CameraPose? {
    guard cameraToWorld.isRigid else { return nil }
    func three(_ column: SIMD4<Float>) -> SIMD3<Float> { SIMD3(column.x, column.y, column.z) }
    return try? CameraPose(
      right: three(cameraToWorld.x), up: three(cameraToWorld.y), back: three(cameraToWorld.z),
      position: three(cameraToWorld.place))
  }

  /// The camera's pose in a world that stands still with a face: the head is what is scanned, whoever of the two moves.
  ///
  /// - Parameters:
  ///   - camera: from the camera to the session's world.
  ///   - face: from the face to the same world.
  public static func pose(camera: TransformMatrix, aroundFace face: TransformMatrix) -> CameraPose? {
    guard let back = face.inverted else { return nil }
    return pose(back * camera)
  }

  /// The whole frame; nil when something of it cannot be.
  public static func frame(
    _ map: MetricDepthMap, step: Int, pose: CameraPose?, intrinsics: PinholeIntrinsics, at seconds: Double
  ) -> ScanFrame? {
    guard let at = MonotonicInstant(seconds: seconds) else { return nil }
    return ScanFrame(
      width: map.width, height: map.height, depth: steps(map.meters, step: step),
      // A level that this version does not know is none to rely on.
      confidence: map.confidence.map { $0.map { $0 <= 2 ? $0 : 0 } }, pose: pose, intrinsics: intrinsics, at: at)
  }
}

extension MetricDepthMap: CustomStringConvertible, CustomReflectable {
  public var description: String { "MetricDepthMap(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
