public import MienImaging

/// Reads what a picture's file says of where it comes from.
public enum ImageProvenanceReader {
  /// So many of a file's first bytes are enough, as cameras write them.
  public static let headBytes = 256 << 10

  /// What a file says; empty for what is no JPEG, and where it says nothing. The file's first bytes are enough.
  public static func read(_ bytes: [UInt8]) -> ImageProvenance {
    ImageFormat.sniff(bytes) == .jpeg ? EXIF.note(inJPEG: bytes) : ImageProvenance()
  }
}
