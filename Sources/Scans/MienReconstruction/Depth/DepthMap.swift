public import MienCore
public import MienScanFormat

/// Depth map in meters, converted from a `ScanFrame` for measurement and reconstruction.
public struct DepthMap: Sendable {
  public let width: Int
  public let height: Int
  /// Row-major, `width * height` distances along the viewing axis in meters; 0 = no measurement.
  public internal(set) var meters: ContiguousArray<Float>
  /// Intrinsics in pixels of the map.
  public let intrinsics: PinholeIntrinsics

  /// Maximum number of samples, so that a sample's index is exactly representable as a `Float`.
  static let largestArea = 1 << 22

  /// Returns nil for maps whose sizes do not match, those of more than four million samples, and implausible
  /// intrinsics. Values that are not finite and positive count as no measurement.
  public init?(width: Int, height: Int, meters: ContiguousArray<Float>, intrinsics: PinholeIntrinsics) {
    guard width >= 1, height >= 1, width <= 4096, height <= 4096, width * height <= Self.largestArea,
      meters.count == width * height, intrinsics.isPlausible
    else { return nil }
    self.width = width
    self.height = height
    self.intrinsics = intrinsics
    self.meters = meters
    for index in self.meters.indices where !(self.meters[index] > 0 && self.meters[index].isFinite) {
      self.meters[index] = 0
    }
  }

  /// Converts the samples of a frame with sufficient confidence and a distance within the range.
  ///
  /// Returns nil if the frame has more than four million samples.
  public init?(_ frame: ScanFrame, metersPerStep: Float, keeping settings: DepthFilter) {
    let area = frame.width * frame.height
    guard area <= Self.largestArea else { return nil }
    width = frame.width
    height = frame.height
    intrinsics = frame.intrinsics
    meters = ContiguousArray(repeating: 0, count: area)
    for index in 0..<area {
      let distance = Float(frame.depth[index]) * metersPerStep
      if settings.range.contains(distance) { meters[index] = distance }
    }
    if let confidence = frame.confidence {
      for index in 0..<area where confidence[index] < settings.leastConfidence { meters[index] = 0 }
    }
  }

  /// Number of samples with a measurement.
  public var validCount: Int { meters.reduce(into: 0) { count, distance in count += distance > 0 ? 1 : 0 } }

  /// Returns the position of a sample in camera coordinates (x right, y up, z towards the viewer), in meters; nil
  /// without a measurement.
  public func point(x: Int, y: Int) -> SIMD3<Float>? {
    guard x >= 0, x < width, y >= 0, y < height else { return nil }
    let distance = meters[y * width + x]
    return distance > 0 ? intrinsics.point(u: Float(x), v: Float(y), distance: distance) : nil
  }
}

extension DepthMap: CustomStringConvertible, CustomReflectable {
  public var description: String { "DepthMap(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PinholeIntrinsics {
  /// Returns the point in camera coordinates (x right, y up, z towards the viewer; meters) at pixel (u, v) and a
  /// distance along the viewing axis: x = (u − cx) d / fx, y = −(v − cy) d / fy, z = −d.
  @inlinable public func point(u: Float, v: Float, distance: Float) -> SIMD3<Float> {
    SIMD3((u - cx) / fx * distance, (cy - v) / fy * distance, -distance)
  }

  /// Returns the pixel of a point in camera coordinates; nil for points that are not in front of the camera.
  @inlinable public func pixel(of point: SIMD3<Float>) -> SIMD2<Float>? {
    guard point.z < 0 else { return nil }
    let scale = -1 / point.z
    return SIMD2(fx * point.x * scale + cx, cy - fy * point.y * scale)
  }
}

/// Criteria for depth samples to be used.
public struct DepthFilter: Hashable, Sendable {
  /// Accepted distances, in meters.
  public var range: ClosedRange<Float>
  /// Minimum confidence of accepted samples (0 low, 1 medium, 2 high); maps without confidence are accepted completely.
  /// Reconstruction lowers this for a map in which less than a tenth of the samples has this confidence.
  public var leastConfidence: UInt8
  /// Maximum difference to a neighbor's distance, as a fraction of the sample's own. At larger steps, a sensor mixes
  /// two surfaces and reports points in the air between them ("flying pixels").
  public var largestStep: Float
  /// Maximum number of the eight neighbors that may be missing or exceed ``largestStep`` before a sample is removed.
  public var outliersAllowed: Int
  /// The same maximum for a sample with no nearer neighbor, at the edge of the surface in front; nil for
  /// ``outliersAllowed``. A larger value keeps parts a few pixels wide, which would otherwise be lost. ``Reconstructor`` uses 5 for LiDAR; at the
  /// rim of a face, which a TrueDepth camera sees at a small angle, such samples add errors.
  public var outliersAllowedInFront: Int?

  public init(
    range: ClosedRange<Float> = 0.1...5, leastConfidence: UInt8 = 2, largestStep: Float = 0.03,
    outliersAllowed: Int = 2
  ) {
    self.range = range
    self.leastConfidence = leastConfidence
    self.largestStep = largestStep
    self.outliersAllowed = outliersAllowed
  }
}

extension DepthMap {
  /// Removes samples at depth edges and isolated samples: those with too many missing or distant neighbors. More such
  /// neighbors may be allowed at the near side of an edge than elsewhere.
  ///
  /// - Returns: the number of samples removed.
  @discardableResult
  public mutating func dropEdges(_ filter: DepthFilter) -> Int {
    guard width >= 3, height >= 3 else { return 0 }
    let source = meters
    let width = width
    let allowedInFront = max(filter.outliersAllowedInFront ?? 0, filter.outliersAllowed)
    var dropped = 0
    for y in 0..<height {
      for x in 0..<width {
        let index = y * width + x
        let distance = source[index]
        guard distance > 0 else { continue }
        guard y > 0, y < height - 1, x > 0, x < width - 1 else {
          // Samples at the sensor's border lack neighbors to compare with.
          meters[index] = 0
          dropped += 1
          continue
        }
        let step = distance * filter.largestStep
        let neighbors = SIMD8(
          source[index - 1], source[index + 1], source[index - width], source[index + width],
          source[index - width - 1], source[index - width + 1], source[index + width - 1], source[index + width + 1])
        let jump = neighbors - distance
        let far = SIMD8<Int32>.zero.replacing(with: 1, where: jump * jump .> step * step)
        let outliers = Int(far.wrappedSum())
        let isNearer = (neighbors .> 0) .& (jump .< -step)
        let allowed = any(isNearer) ? filter.outliersAllowed : allowedInFront
        if outliers > allowed {
          meters[index] = 0
          dropped += 1
        }
      }
    }
    return dropped
  }
}
