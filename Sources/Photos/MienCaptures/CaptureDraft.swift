public import MienPlatform
public import MienCore

/// A capture while its parts are received. Call ``discard()`` if it is not saved.
public struct CaptureDraft: Sendable {
  /// The images of a burst, written one after the other into one file.
  public struct Burst: Sendable {
    public let file: PendingBlob
    /// Images that are complete.
    public var frames: [CaptureMotionMedia.Frame] = []

    public init(file: PendingBlob) { self.file = file }
  }

  public var photo: PendingBlob?
  /// `image/jpeg` or `image/png`.
  public var photoType: String?
  public var depth: PendingBlob?
  public var burst: Burst?
  public var clip: PendingBlob?
  /// `video/mp4` or `video/webm`.
  public var clipType: String?
  public var metadata: [UInt8]?
  public var detection: [UInt8]?
  public var claims = CaptureClaims()
  /// Digests sent instead of the files.
  public var digests: CaptureDigests?
  public var signature: CaptureSignature?
  public var assertion: CaptureAssertion?

  public init() {}

  /// Deletes the files that were written.
  public func discard() async {
    for file in files { await file.writer.discard() }
  }

  /// All files that are being written.
  var files: [PendingBlob] { [photo, depth, burst?.file, clip].compactMap(\.self) }
}

/// Operator settings for captures.
public struct CaptureSettings: Sendable {
  public var realm = Realm.live
  /// Number of captures that one IP address may send per hour without an API key, and number of files that it may have
  /// verified per hour; 0 for no limit.
  public var capturesPerHour = 1800
  /// Maximum number of bytes stored for a key and for a check.
  public var quotas = StorageQuotas()
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
