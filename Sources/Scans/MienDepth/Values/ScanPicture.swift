public import MienCore

/// A colour picture of a scan: one of the photos a person took, or a colour frame that came with a depth map.
public struct ScanImage: Sendable {
  public let role: Role
  /// A whole JPEG or PNG, not decoded.
  public let bytes: [UInt8]
  /// Where the camera was; nil when nobody said.
  public let pose: CameraPose?
  /// In pixels of the picture; nil when nobody said.
  public let intrinsics: PinholeIntrinsics?
  /// On the header's clock; nil when nobody said.
  public let at: MonotonicInstant?

  /// What a picture is to its scan.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// Taken on purpose, to be looked at.
    case photo
    /// Taken along while scanning.
    case colorFrame = "colour-frame"
  }

  /// Refuses (nil) empty pictures, those over 64 MB, and implausible intrinsics.
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
