public import MienCore

/// One depth map of a scan and how it was taken.
public struct ScanFrame: Sendable {
  public let width: Int
  public let height: Int
  /// Row-major from the top left of the sensor's own (landscape) picture, `width * height` samples: the distance along
  /// the viewing axis in steps of the header's `micrometresPerStep`; 0 = no measurement.
  public let depth: [UInt16]
  /// How sure the sensor is of each sample: 0 low, 1 medium, 2 high; nil when it does not say.
  public let confidence: [UInt8]?
  /// nil when the device did not know where it was.
  public let pose: CameraPose?
  /// In pixels of the depth map.
  public let intrinsics: PinholeIntrinsics
  /// On the header's clock.
  public let at: MonotonicInstant

  /// Refuses (nil) maps whose sizes do not fit, levels of confidence over 2, and implausible intrinsics.
  public init?(
    width: Int, height: Int, depth: [UInt16], confidence: [UInt8]?, pose: CameraPose?, intrinsics: PinholeIntrinsics,
    at: MonotonicInstant
  ) {
    guard (1...4096).contains(width), (1...4096).contains(height), depth.count == width * height,
      confidence.map({ levels in levels.count == width * height && levels.allSatisfy { $0 <= 2 } }) != false,
      intrinsics.isPlausible
    else { return nil }
    self.width = width
    self.height = height
    self.depth = depth
    self.confidence = confidence
    self.pose = pose
    self.intrinsics = intrinsics
    self.at = at
  }
}

extension ScanFrame: CustomStringConvertible, CustomReflectable {
  public var description: String { "ScanFrame(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
