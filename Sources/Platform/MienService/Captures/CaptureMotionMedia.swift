/// What a capture brings beside its photo to see movement in: a burst of pictures, or a short film.
public struct CaptureMotionMedia: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, Hashable, Sendable {
    /// JPEGs, one after the other in one file.
    case burst
    /// MP4 or WebM.
    case clip
  }

  /// One picture of a burst.
  public struct Frame: Codable, Hashable, Sendable {
    /// In bytes, 1 or more.
    public let size: Int
    public let digest: ContentDigest

    public init(size: Int, digest: ContentDigest) {
      self.size = size
      self.digest = digest
    }
  }

  public let kind: Kind
  /// Of a film its bytes'; of a burst the one of ``digest(of:)``.
  public let digest: ContentDigest
  /// In bytes; nil when only the digest came.
  public let size: Int?
  /// Where it is kept; nil when only the digest came.
  public let blob: BlobID?
  /// The media type of a film; nil otherwise.
  public let type: String?
  /// The pictures of a burst in their order; empty for a film, and when only the digest came.
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

  /// The digest of a burst: SHA-256 of its pictures' digests, each as 64 lower-case hexadecimal digits and a line feed.
  ///
  /// The pictures' bytes alone would not do: where one ends and the next begins would not be signed.
  public static func digest(of frames: [Frame]) -> ContentDigest {
    ContentDigest(of: frames.flatMap { Array("\($0.digest)\n".utf8) })
  }

  /// Where in the file the picture of this number lies; nil when there is none.
  public func place(of number: Int) -> Range<Int>? {
    guard frames.indices.contains(number) else { return nil }
    let start = frames[..<number].reduce(0) { $0 + $1.size }
    return start..<start + frames[number].size
  }

  /// The part of the form that it came in, which is the one that a signature covers.
  public var part: CapturePart { kind == .burst ? .burst : .clip }
}
