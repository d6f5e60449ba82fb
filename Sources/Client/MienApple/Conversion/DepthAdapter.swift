public import MienScanFormat
public import MienCore

/// Depth map of a sensor: distances in meters, row by row without padding.
public struct MetricDepthMap: Sendable {
  public let width: Int
  public let height: Int
  /// Distances; values that are not positive and finite mark missing measurements.
  public let meters: [Float]
  /// Confidence levels: 0 low, 1 medium, 2 high; `nil` if the sensor reports none.
  public let confidence: [UInt8]?

  /// Returns `nil` if the sizes are invalid or do not match.
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

/// Converts depth data of Apple's sensors to scan frames.
public enum DepthAdapter {
  /// Size of a depth step in micrometers for LiDAR scans, whose noise is several millimeters.
  public static let lidarStep = 1000
  /// Size of a depth step in micrometers for the front camera, which resolves tenths of a millimeter up to 6.5 m.
  public static let trueDepthStep = 100

  /// Converts distances to whole steps; 0 for missing measurements and distances out of range.
  ///
  /// - Parameters:
  ///   - meters: distances in meters.
  ///   - step: size of a step in micrometers.
  public static func steps(_ meters: [Float], step: Int) -> [UInt16] {
    let perMeter = 1_000_000 / Float(max(1, step))
    return meters.map { distance in
      let steps = (distance * perMeter).rounded()
      return steps >= 1 && steps <= 65_535 ? UInt16(steps) : 0
    }
  }

  /// Origin of principal points, in which Apple's frameworks differ by half a pixel.
  public enum PixelOrigin: Sendable {
    /// Center of the top left pixel, as in ARKit according to `ARCamera.h` and ARKit's projection matrices.
    case middle
    /// Top left corner of the top left pixel, as documented for `AVCameraCalibrationData`.
    case corner
  }

  /// Returns the pinhole intrinsics of the depth map, scaled from those of the corresponding image.
  ///
  /// Both have the same field of view, so that everything scales with the size relative to the common corner.
  ///
  /// - Parameters:
  ///   - columns: columns of Apple's 3×3 matrix: (fx, 0, 0), (0, fy, 0), (cx, cy, 1).
  ///   - origin: origin of the matrix's principal point; the result uses that of `PinholeIntrinsics`.
  ///   - image: size of the image in pixels.
  ///   - map: size of the depth map in pixels.
  /// - Returns: `nil` if the values are implausible.
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

  /// Converts a camera transform to a pose; ARKit's axes are those of `CameraPose`. Returns `nil` if it is not rigid.
  public static func pose(_ cameraToWorld: TransformMatrix) -> CameraPose? {
    guard cameraToWorld.isRigid else { return nil }
    func three(_ column: SIMD4<Float>) -> SIMD3<Float> { SIMD3(column.x, column.y, column.z) }
    return try? CameraPose(
      right: three(cameraToWorld.x), up: three(cameraToWorld.y), back: three(cameraToWorld.z),
      position: three(cameraToWorld.place))
  }

  /// Returns the camera's pose in the coordinates of a face, independent of whether the head or the camera moves.
  ///
  /// - Parameters:
  ///   - camera: transform from camera to world coordinates.
  ///   - face: transform from face to world coordinates.
  public static func pose(camera: TransformMatrix, aroundFace face: TransformMatrix) -> CameraPose? {
    guard let back = face.inverted else { return nil }
    return pose(back * camera)
  }

  /// Creates a scan frame. Returns `nil` if a value is invalid.
  public static func frame(
    _ map: MetricDepthMap, step: Int, pose: CameraPose?, intrinsics: PinholeIntrinsics, at seconds: Double
  ) -> ScanFrame? {
    guard let at = MonotonicInstant(seconds: seconds) else { return nil }
    return ScanFrame(
      width: map.width, height: map.height, depth: steps(map.meters, step: step),
      // Unknown confidence levels count as low.
      confidence: map.confidence.map { $0.map { $0 <= 2 ? $0 : 0 } }, pose: pose, intrinsics: intrinsics, at: at)
  }
}

extension MetricDepthMap: CustomStringConvertible, CustomReflectable {
  public var description: String { "MetricDepthMap(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
