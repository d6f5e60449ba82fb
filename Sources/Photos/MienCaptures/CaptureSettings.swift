public import MienPlatform
public import MienCore

/// Operator settings for captures.
public struct CaptureSettings: Sendable {
  public var realm = Realm.live
  /// Number of captures that one IP address may send per hour without an API key, and number of files that it may have
  /// verified per hour; 0 for no limit.
  public var capturesPerHour = 1800
  /// Maximum number of bytes stored for a key and for a check.
  public var quotas = StorageQuotas()
  /// Limits for captures sent with a check's token.
  public var checkLimits = CheckCaptureLimits()
  /// Retention period of captures; `nil` stores them until they are deleted.
  public var lifetime: Interval? = .seconds(90 * 86_400)
  /// Time for which an attestation challenge is valid.
  public var challengeLifetime = Interval.seconds(300)
  /// Maximum size of a photo, in bytes.
  public var maximumPhotoBytes = 32 << 20
  /// Maximum size of a depth map, in bytes.
  public var maximumDepthBytes = 32 << 20
  /// Maximum number of images in a burst.
  public var maximumBurstFrames = 24
  /// Maximum size of an image in a burst, in bytes.
  public var maximumBurstFrameBytes = 4 << 20
  /// Maximum total size of a clip or burst, in bytes.
  public var maximumMotionBytes = 32 << 20
  /// Maximum size of the metadata, the signature or the list of digests, in bytes.
  public var maximumTextBytes = 64 << 10
  /// Maximum size of the detection part, in bytes.
  public var maximumDetectionBytes = 256 << 10

  public init() {}
}

/// Limits for the captures of one check whose token may send some.
public struct CheckCaptureLimits: Hashable, Sendable {
  /// Maximum number of captures.
  public var count: Int
  /// Maximum size of all captures together, in bytes.
  public var bytes: Int

  public init(count: Int = 4, bytes: Int = 64 << 20) {
    self.count = count
    self.bytes = bytes
  }

  /// Error for exceeding the limits.
  package static var exceeded: ServiceError {
    ServiceError(.storageQuota, "A check's token may not send this many captures, or captures this large.")
  }
}
