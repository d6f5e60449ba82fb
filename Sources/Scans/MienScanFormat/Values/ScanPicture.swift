public import MienCore

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
    case colorFrame = "colour-frame"
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
  public var description: String { "ScanPicture(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
