public import MienPlatform
internal import MienCore

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
  /// Media type of the photo by its first bytes, for example `image/jpeg`.
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
