public import MienCore

/// One depth map of a scan with its camera and timestamp.
public struct ScanFrame: Sendable {
  public let width: Int
  public let height: Int
  /// Row-major from the top left of the sensor's native (landscape) image, `width * height` samples: the distance along
  /// the viewing axis in steps of the header's `micrometersPerStep`; 0 = no measurement.
  public let depth: [UInt16]
  /// Confidence of each sample: 0 low, 1 medium, 2 high; nil if the sensor does not provide it.
  public let confidence: [UInt8]?
  /// Pose of the camera; nil if the device had no position.
  public let pose: CameraPose?
  /// Intrinsics in pixels of the depth map.
  public let intrinsics: PinholeIntrinsics
  /// Timestamp on the header's clock.
  public let at: MonotonicInstant

  /// Returns nil for maps whose sizes do not match, confidence levels over 2, and implausible intrinsics.
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

/// Color image of a scan: a photo taken by a person, or a color frame that accompanies a depth map.
public struct ScanImage: Sendable {
  public let role: Role
  /// A complete JPEG or PNG file, not decoded.
  public let bytes: [UInt8]
  /// Pose of the camera; nil if unknown.
  public let pose: CameraPose?
  /// Intrinsics in pixels of the image; nil if unknown.
  public let intrinsics: PinholeIntrinsics?
  /// Timestamp on the header's clock; nil if unknown.
  public let at: MonotonicInstant?

  /// Purpose of an image in its scan.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// Photo taken deliberately.
    case photo
    /// Color frame captured during the scan.
    case colorFrame = "color-frame"
  }

  /// Returns nil for empty images, those over 64 MB, and implausible intrinsics.
  public init?(role: Role, bytes: [UInt8], pose: CameraPose?, intrinsics: PinholeIntrinsics?, at: MonotonicInstant?) {
    guard !bytes.isEmpty, bytes.count <= 64 << 20, intrinsics?.isPlausible != false else { return nil }
    self.role = role
    self.bytes = bytes
    self.pose = pose
    self.intrinsics = intrinsics
    self.at = at
  }
}

extension ScanImage: CustomStringConvertible, CustomReflectable {
  public var description: String { "ScanImage(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
