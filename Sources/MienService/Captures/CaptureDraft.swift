/// A capture while its parts come in. What is not taken must be discarded.
public struct CaptureDraft: Sendable {
  /// A file that is being written.
  public struct File: Sendable {
    public let blob: BlobID
    public let writer: any BlobWriter
  }

  public var photo: File?
  /// `image/jpeg` or `image/png`.
  public var photoType: String?
  public var depth: File?
  public var metadata: [UInt8]?
  public var detection: [UInt8]?
  public var claims = CaptureClaims()
  /// Digests that come instead of the files.
  public var digests: CaptureDigests?
  public var signature: CaptureSignature?

  public init() {}

  /// Forgets what was written.
  public func discard() async {
    await photo?.writer.discard()
    await depth?.writer.discard()
  }
}

/// What an operator can set about captures.
public struct CaptureSettings: Sendable {
  /// True when anybody may send captures and register devices without an API key.
  public var allowsDemo = false
  /// The largest photo, in bytes.
  public var maximumPhotoBytes = 32 << 20
  /// The largest depth map, in bytes.
  public var maximumDepthBytes = 32 << 20
  /// The largest metadata, signature or list of digests, in bytes.
  public var maximumTextBytes = 64 << 10
  /// The largest detection part, in bytes.
  public var maximumDetectionBytes = 256 << 10

  public init() {}
}
