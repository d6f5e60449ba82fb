public import MienImaging

/// Reads the origin metadata of an image file.
public enum ImageProvenanceReader {
  /// Number of leading bytes that are sufficient for files written by cameras.
  public static let headBytes = 256 << 10

  /// Returns the metadata of a file; empty for files other than JPEGs and if there is none. The file's first bytes are
  /// enough.
  public static func read(_ bytes: [UInt8]) -> ImageProvenance {
    ImageFormat.sniff(bytes) == .jpeg ? EXIF.note(inJPEG: bytes) : ImageProvenance()
  }
}
