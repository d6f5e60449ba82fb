public import MienCore

/// A capture while its parts come in. What is not taken must be discarded.
public struct CaptureDraft: Sendable {
  /// A file that is being written.
  public struct PendingBlob: Sendable {
    public let blob: BlobID
    public let writer: any BlobWriter
  }

  /// The pictures of a burst, written one after the other into one file.
  public struct Burst: Sendable {
    public let file: PendingBlob
    /// The pictures that are whole.
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
  /// Digests that come instead of the files.
  public var digests: CaptureDigests?
  public var signature: CaptureSignature?
  public var assertion: CaptureAssertion?

  public init() {}

  /// Forgets what was written.
  public func discard() async {
    for file in files { await file.writer.discard() }
  }

  /// All that is being written.
  var files: [PendingBlob] { [photo, depth, burst?.file, clip].compactMap(\.self) }
}

/// What an operator can set about captures.
public struct CaptureSettings: Sendable {
  public var space = Realm.live
  /// How many captures one address may send in an hour without an API key, and how many files it may have verified in an
  /// hour at all; 0 is any number.
  public var capturesPerHour = 1800
  /// How many bytes are stored for a key and for a check.
  public var quotas = StorageQuotas()
  /// How long captures are kept; nil keeps them until they are erased.
  public var lifetime: Interval? = .seconds(90 * 86_400)
  /// How long a challenge for an attestation is good.
  public var challengeLifetime = Interval.seconds(300)
  /// The largest photo, in bytes.
  public var maximumPhotoBytes = 32 << 20
  /// The largest depth map, in bytes.
  public var maximumDepthBytes = 32 << 20
  /// The most pictures of a burst.
  public var maximumBurstFrames = 24
  /// The largest picture of a burst, in bytes.
  public var maximumBurstFrameBytes = 4 << 20
  /// The largest film or burst as a whole, in bytes.
  public var maximumMotionBytes = 32 << 20
  /// The largest metadata, signature or list of digests, in bytes.
  public var maximumTextBytes = 64 << 10
  /// The largest detection part, in bytes.
  public var maximumDetectionBytes = 256 << 10

  public init() {}
}
