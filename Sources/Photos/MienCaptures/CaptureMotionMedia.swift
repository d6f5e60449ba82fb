public import MienPlatform

/// Media sent with a capture's photo to measure motion: a burst of images or a short clip.
public struct CaptureMotionMedia: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, Hashable, Sendable {
    /// JPEGs, one after the other in one file.
    case burst
    /// MP4 or WebM.
    case clip
  }

  /// One image of a burst.
  public struct Frame: Codable, Hashable, Sendable {
    /// Size in bytes, at least 1.
    public let size: Int
    public let digest: ContentDigest

    public init(size: Int, digest: ContentDigest) {
      self.size = size
      self.digest = digest
    }
  }

  public let kind: Kind
  /// Digest of the bytes of a clip, or ``digest(of:)`` of a burst.
  public let digest: ContentDigest
  /// Size in bytes; `nil` if only the digest was sent.
  public let size: Int?
  /// Blob that stores the file; `nil` if only the digest was sent.
  public let blob: BlobID?
  /// Media type of a clip; `nil` otherwise.
  public let type: String?
  /// Images of a burst, in order; empty for a clip and if only the digest was sent.
  public let frames: [Frame]

  public init(
    kind: Kind, digest: ContentDigest, size: Int? = nil, blob: BlobID? = nil, type: String? = nil,
    frames: [Frame] = []
  ) {
    self.kind = kind
    self.digest = digest
    self.size = size
    self.blob = blob
    self.type = type
    self.frames = frames
  }

  /// Returns the digest of a burst: SHA-256 of its images' digests, each as 64 lowercase hexadecimal digits and a line
  /// feed.
  ///
  /// A digest of the concatenated images would not be enough: the boundaries between them would not be signed.
  public static func digest(of frames: [Frame]) -> ContentDigest {
    ContentDigest(of: frames.flatMap { Array("\($0.digest)\n".utf8) })
  }

  /// Returns the byte range of the image with this number in the file; `nil` if there is none.
  public func place(of number: Int) -> Range<Int>? {
    guard frames.indices.contains(number) else { return nil }
    let start = frames[..<number].reduce(0) { $0 + $1.size }
    return start..<start + frames[number].size
  }

  /// The part of the form that contained the media, which is the one that a signature covers.
  public var part: CapturePart { kind == .burst ? .burst : .clip }
}
